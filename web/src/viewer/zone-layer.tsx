// In charge of showing a safe zone over the picture: what an app would cover is shaded, and the safe part has an outline.
import type { Size, View } from '../ui/viewer-view.ts'
import type { SafeZone } from './safe-zones.ts'

type Props = { zone: SafeZone; view: View; size: Size }

export function ZoneLayer({ zone, view, size }: Props) {
  const percent = (part: number) => `${part * 100}%`
  return (
    <div
      className="viewer-zone"
      style={{
        width: size.width * view.scale,
        height: size.height * view.scale,
        transform: `translate(-50%, -50%) translate(${view.x}px, ${view.y}px)`,
      }}
    >
      <div
        role="img"
        aria-label={`Safe zone of ${zone.name}`}
        style={{
          top: percent(zone.top),
          right: percent(zone.right),
          bottom: percent(zone.bottom),
          left: percent(zone.left),
        }}
      />
    </div>
  )
}

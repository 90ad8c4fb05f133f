// In charge of where short messages appear: above everything else, and inside a modal dialog if one is open.
import { Notifications } from '@mantine/notifications'
import { useTopLayer } from './top-layer.ts'

export function ToastHost() {
  const top = useTopLayer()
  const place = top === null ? {} : { portalProps: { target: top } }
  // Mantine ignores a changed target, so a changed `key` makes React mount the component again. The messages themselves are kept.
  return (
    <Notifications
      key={top?.id ?? 'page'}
      position="bottom-center"
      limit={3}
      containerWidth={460}
      zIndex={400}
      {...place}
    />
  )
}

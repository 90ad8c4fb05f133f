// In charge of which safe zone is shown over the picture. The user's choice stays in effect for the next pictures to which the
// zone applies.
import { useState } from 'react'
import type { Size } from '../ui/viewer-view.ts'
import { type SafeZone, zonesFor } from './safe-zones.ts'

export type Zoning = ReturnType<typeof useSafeZone>

export function useSafeZone(size: Size | null) {
  const [name, setName] = useState<string | null>(null)
  const zones = zonesFor(size)
  const shown = zones.find((zone) => zone.name === name) ?? null
  const show = (zone: SafeZone | null) => setName(zone?.name ?? null)
  return {
    ...{ zones, shown, show },
    /** Shows the next zone; after the last zone, shows none. */
    turn: () => {
      if (zones.length > 0) show(zones[shown ? zones.indexOf(shown) + 1 : 0] ?? null)
    },
  }
}

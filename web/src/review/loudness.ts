// In charge of how loud films and sounds are: who turns the sound off or down does not hear the next one at full volume. Kept for as
// long as the tab is open.
type Loudness = { muted: boolean; volume: number }

const key = 'atelier.loudness'
const loud: Loudness = { muted: false, volume: 1 }
let kept: Loudness | null = null

/** Reads what was stored; anything else counts as full volume. */
export function loudnessOf(stored: string | null): Loudness {
  try {
    const read: unknown = JSON.parse(stored ?? 'null')
    if (typeof read !== 'object' || read === null || !('muted' in read) || !('volume' in read)) return loud
    const { muted, volume } = read
    if (typeof muted !== 'boolean' || typeof volume !== 'number') return loud
    return volume >= 0 && volume <= 1 ? { muted, volume } : loud
  } catch {
    return loud
  }
}

function readLoudness(): Loudness {
  try {
    return loudnessOf(sessionStorage.getItem(key))
  } catch {
    return loud
  }
}

export function takeLoudness(element: HTMLMediaElement): void {
  kept ??= readLoudness()
  element.muted = kept.muted
  element.volume = kept.volume
}

export function keepLoudness({ muted, volume }: HTMLMediaElement): void {
  kept = { muted, volume }
  try {
    sessionStorage.setItem(key, JSON.stringify(kept))
  } catch {
    // If the browser's storage is full or not allowed, it is kept only until the page is closed or reloaded.
  }
}

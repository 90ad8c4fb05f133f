// In charge of safe zones: the part of a full-screen ad that an app does not cover with its own buttons and texts. Pure.
//
// Only publicly documented figures are used. They are fractions of the width and height of a 9:16 picture:
// - Stories: Meta's ads guide, https://www.facebook.com/business/ads-guide/update/carousel/instagram-story/outcome-awareness,
//   "roughly 14% (250 pixels) of the top and 20% (340 pixels) of the bottom".
// - Reels: Meta's guidance, quoted by https://mediamaxnetwork.com/digital-specifications/social-ads/ and
//   https://shotstack.io/learn/vertical-video-safe-zones/: 14% of the top, 6% of the sides and 35% of the bottom.
// - Shorts: Google's guidance for vertical ads, quoted by https://shotstack.io/learn/vertical-video-safe-zones/: in 1080 × 1920
//   pixels, 288 at the top, 672 at the bottom, 48 on the left and 192 on the right.
// All of these pages were read on 2026-11-23. TikTok is missing: its zone depends on the caption of the ad, so TikTok publishes
// templates and no figures (https://ads.tiktok.com/help/article?aid=10002742).
import type { Size } from '../ui/viewer-view.ts'

export type SafeZone = { name: string; top: number; right: number; bottom: number; left: number }

export const safeZones: readonly SafeZone[] = [
  { name: 'Stories', top: 0.14, right: 0, bottom: 0.2, left: 0 },
  { name: 'Reels', top: 0.14, right: 0.06, bottom: 0.35, left: 0.06 },
  { name: 'Shorts', top: 288 / 1920, right: 192 / 1080, bottom: 672 / 1920, left: 48 / 1080 },
]

const ratio = 9 / 16
/** How far the ratio of a picture may be from 9:16, as a fraction; Meta's guide, named above, accepts this difference. */
const tolerance = 0.01

/** Returns the zones that apply to a picture of this size: all if its ratio is 9:16, otherwise none. */
export function zonesFor(size: Size | null): readonly SafeZone[] {
  if (!size || size.height === 0) return []
  return Math.abs(size.width / size.height / ratio - 1) <= tolerance ? safeZones : []
}

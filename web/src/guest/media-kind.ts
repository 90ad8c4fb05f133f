// In charge of how a file is called where a guest sees no picture of it: by a word and an icon, not by its media type. Pure.
import type { IconName } from '../ui/icons.tsx'

type Kind = { words: string; icon: IconName }

const byType: Readonly<Record<string, Kind>> = {
  image: { words: 'Picture', icon: 'image' },
  video: { words: 'Film', icon: 'film' },
  audio: { words: 'Sound', icon: 'sound' },
  text: { words: 'Text', icon: 'file' },
}

export function mediaKind(mediaType: string): Kind {
  if (/^application\/pdf\b/.test(mediaType)) return { words: 'PDF', icon: 'file' }
  return byType[mediaType.split('/')[0] ?? ''] ?? { words: 'File', icon: 'file' }
}

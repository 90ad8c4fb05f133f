// In charge of what stands in the place of a picture while the viewer plays only sound: otherwise the stage would be empty.
import { useQuery } from '@tanstack/react-query'
import { useFileLink } from '../lib/link-store.ts'
import { timeWords } from '../review/marks.ts'
import { Icon } from '../ui/icons.tsx'
import { fileHeadQuery } from './file-head.ts'

type Props = { digest: string; mediaType: string | null; seconds: number }

export function SoundWords({ digest, mediaType, seconds }: Props) {
  const url = useFileLink(digest)?.url
  const head = useQuery({ ...fileHeadQuery(digest, url), enabled: mediaType === null && url !== undefined }).data
  // Browsers play only the sound of a film whose picture they cannot decode.
  const isFilm = (mediaType ?? head?.type)?.startsWith('video/') ?? false
  // A stream has no length.
  const length = Number.isFinite(seconds) ? `, ${timeWords(seconds)}` : ''
  return (
    <p className="viewer-sound">
      <Icon name="sound" size={56} />
      {isFilm ? `Only the sound of this film can be played here${length}` : `Sound${length}`}
    </p>
  )
}

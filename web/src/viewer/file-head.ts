// In charge of asking the server for the size and the media type of a file, where they were not recorded.
import { queryOptions } from '@tanstack/react-query'

export const fileHeadQuery = (digest: string, url: string | undefined) =>
  queryOptions({
    queryKey: ['file-head', digest],
    queryFn: () => askFile(url ?? ''),
    staleTime: Number.POSITIVE_INFINITY,
  })

/** The size is in bytes. */
async function askFile(url: string): Promise<{ size: number | null; type: string | null }> {
  const { headers } = await fetch(url, { method: 'HEAD' })
  const length = headers.get('content-length')
  return { size: length === null ? null : Number(length), type: headers.get('content-type') }
}

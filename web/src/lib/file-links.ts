// In charge of addresses for pictures: short-lived, asked for together, renewed before they end.
import { useQuery } from '@tanstack/react-query'
import { call } from './api.ts'

/** Links are good for at least 15 minutes. */
const renewMs = 12 * 60_000

/** The address of each file, by digest; those that are not there yet are left out. */
export function useFileLinks(digests: readonly string[]): ReadonlyMap<string, string> {
  const wanted = [...new Set(digests)].toSorted().slice(0, 500)
  const links = useQuery({
    queryKey: ['file-links', wanted],
    queryFn: () => call('createFileLinks', { body: { digests: wanted } }),
    enabled: wanted.length > 0,
    staleTime: renewMs,
    refetchInterval: renewMs,
  })
  return new Map((links.data ?? []).map(({ digest, url }) => [digest, url]))
}

// In charge of what somebody pasted: which of it are campaign ids, which are names. Pure.

import { isCampaignId } from '@atelier/contract/campaign-id.ts'

/** What the lookup takes of each kind at a time. */
const handleLimit = 500

/** `either`: digits, and too few for a campaign id of an ad account. Other tools have such, so they are asked as both. */
type Handles = { names: string[]; adIds: string[]; either: string[]; repeated: number }

/**
 * A handle a line. Tabs, commas and semicolons part handles too, as spreadsheets and lists have them; quotes around one
 * are those of a spreadsheet. What comes twice is asked once.
 */
export function readHandles(text: string): Handles {
  const given = text
    .split(/[\n\r\t,;]+/)
    .map((part) =>
      part
        .trim()
        .replace(/^"(.*)"$/, '$1')
        .trim(),
    )
    .filter((part) => part !== '')
  const handles = [...new Set(given)]
  return {
    names: handles.filter((handle) => !isCampaignId(handle) && !isEither(handle)),
    adIds: handles.filter((handle) => isCampaignId(handle)),
    either: handles.filter(isEither),
    repeated: given.length - handles.length,
  }
}

const isEither = (text: string): boolean => /^\d+$/.test(text) && !isCampaignId(text)

/** Of what was asked as both, what was found; where nothing was, it is told once. */
export function withoutTwins<Row extends { query: string; handle: string; creatives: readonly unknown[] }>(
  rows: readonly Row[],
  either: readonly string[],
): Row[] {
  const both = new Set(either)
  const found = new Set(rows.filter(({ creatives }) => creatives.length > 0).map(({ query }) => query))
  return rows.filter(({ query, handle, creatives }) => {
    if (!both.has(query) || creatives.length > 0) return true
    return !found.has(query) && handle === 'ad_id'
  })
}

/** Batches the service takes: the names first, as it answers them. */
export function batchesOf(handles: Handles): { names: string[]; ad_ids: string[] }[] {
  const names = [...handles.names, ...handles.either]
  const adIds = [...handles.adIds, ...handles.either]
  const count = Math.ceil(Math.max(names.length, adIds.length) / handleLimit)
  const part = (list: string[], at: number) => list.slice(at * handleLimit, (at + 1) * handleLimit)
  return Array.from({ length: count }, (_, at) => ({ names: part(names, at), ad_ids: part(adIds, at) }))
}

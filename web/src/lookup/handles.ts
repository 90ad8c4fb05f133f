// In charge of reading the handles that a user pastes: deciding which are campaign ids and which are names. Pure.

import { isCampaignId } from '@atelier/contract/campaign-id.ts'

/** The most names, and also the most campaign ids, that one lookup request accepts. */
const handleLimit = 500

/**
 * `either`: numbers that are too short for a campaign id of an ad account. Other tools have shorter ids, so each of these numbers
 * is looked up both as a name and as an id. `repeated`: how many handles were left out because they occur earlier in the text.
 */
type Handles = { names: string[]; adIds: string[]; either: string[]; repeated: number }

/**
 * Reads one handle per line. Tabs, commas and semicolons also separate handles, as in spreadsheets and lists. Quotes around
 * a handle come from a spreadsheet and are removed. A repeated handle is looked up only once.
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

/**
 * A handle in `either` was looked up as a name and as an id, so it has two rows. Keeps those of the two that have creatives; if
 * neither has any, keeps only the row of the id. The rows of all other handles are kept.
 */
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

/** Splits the handles into several requests: each has at most `handleLimit` names and at most `handleLimit` campaign ids. */
export function batchesOf(handles: Handles): { names: string[]; ad_ids: string[] }[] {
  const names = [...handles.names, ...handles.either]
  const adIds = [...handles.adIds, ...handles.either]
  const count = Math.ceil(Math.max(names.length, adIds.length) / handleLimit)
  const part = (list: string[], at: number) => list.slice(at * handleLimit, (at + 1) * handleLimit)
  return Array.from({ length: count }, (_, at) => ({ names: part(names, at), ad_ids: part(adIds, at) }))
}

// In charge of what somebody pasted: which of it are campaign ids, which are names. Pure.

import { isCampaignId } from '@atelier/contract/campaign-id.ts'

/** What the lookup takes of each kind at a time. */
const handleLimit = 500

type Handles = { names: string[]; adIds: string[]; repeated: number }

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
    names: handles.filter((handle) => !isCampaignId(handle)),
    adIds: handles.filter((handle) => isCampaignId(handle)),
    repeated: given.length - handles.length,
  }
}

/** Batches the service takes: the names first, as it answers them. */
export function batchesOf({ names, adIds }: Handles): { names: string[]; ad_ids: string[] }[] {
  const count = Math.ceil(Math.max(names.length, adIds.length) / handleLimit)
  const part = (list: string[], at: number) => list.slice(at * handleLimit, (at + 1) * handleLimit)
  return Array.from({ length: count }, (_, at) => ({ names: part(names, at), ad_ids: part(adIds, at) }))
}

// In charge of reading the handles that a user pastes: deciding what is looked up as a name, and what also as a campaign id. Pure.

import { ofCell } from '../lib/csv.ts'

/** The most names, and also the most campaign ids, that one lookup request accepts. */
const handleLimit = 500
/** No name of a creative has more characters. */
const longestName = 255

/**
 * A line of the text, or a cell of a spreadsheet. `parts`: the handles in it. `whole`: the entire line, if it may also be one name;
 * null if it may not, or if it is the only part.
 */
type Line = { parts: string[]; whole: string | null }

/**
 * `names`: handles that are not numbers. `numbers`: each may be a campaign id or the name of a creative, so it is looked up as both.
 * `wholes`: lines that are looked up as one name in addition to their parts. `repeated`: how many handles were left out because
 * they occur earlier in the text.
 */
export type Handles = { lines: Line[]; names: string[]; numbers: string[]; wholes: string[]; repeated: number }

/**
 * Reads one handle per line. Tabs, commas and semicolons also separate handles, as in spreadsheets and lists. A name may contain
 * commas and semicolons too, so a line with several parts may be one name; within quotes, as spreadsheets write them, they separate
 * nothing. What our CSV files put around a handle is taken off. A repeated handle is looked up only once.
 */
export function readHandles(text: string): Handles {
  const cells = text
    .split(/[\n\r\t]+/)
    .map((cell) => cell.trim())
    .filter((cell) => cell !== '')
  const lines = cells.map((cell) => lineOf(cell, cells.length === 1))
  const given = lines.flatMap(({ parts }) => parts)
  const handles = [...new Set(given)]
  return {
    lines,
    names: handles.filter((handle) => !isNumber(handle)),
    numbers: handles.filter(isNumber),
    wholes: [...new Set(lines.flatMap(({ whole }) => whole ?? []))].filter((whole) => !handles.includes(whole)),
    repeated: given.length - handles.length,
  }
}

const isNumber = (text: string): boolean => /^\d+$/.test(text)

/** A part in quotes ends at a quote before a separator or the end of the line. Two quotes within such a part stand for one. */
const part = /\s*"((?:[^"]|"")*)"\s*(?=[,;]|$)|[^,;]+/g

/**
 * A line with one part, in quotes or protected as in CSV, is looked up as it stands only if it is the only line: a column has many
 * such lines.
 */
function lineOf(cell: string, isOnly: boolean): Line {
  const parts = [...cell.matchAll(part)]
    .map(([all, quoted]) => (quoted === undefined ? all : quoted.replaceAll('""', '"')).trim())
    .map(ofCell)
    .filter((handle) => handle !== '')
  const isOther = parts.length === 1 ? isOnly && parts[0] !== cell : [...cell].length <= longestName
  return { parts, whole: isOther ? cell : null }
}

/**
 * Leaves out rows without creatives that would only confuse: of a line that was found as one name, those of its parts; otherwise that
 * of the entire line. Of a number, which has a row as a name and one as a campaign id, the row of the name; or both rows if it was
 * found as either. All rows with creatives are kept.
 */
export function withoutTwins<Row extends { query: string; handle: string; creatives: readonly unknown[] }>(
  rows: readonly Row[],
  { lines, numbers }: Handles,
): Row[] {
  const found = new Set(rows.filter(({ creatives }) => creatives.length > 0).map(({ query }) => query))
  const wanted = new Set(lines.flatMap(({ parts, whole }) => (whole !== null && found.has(whole) ? [] : parts)))
  const both = new Set(numbers)
  return rows.filter(({ query, handle, creatives }) => {
    if (creatives.length > 0) return true
    return wanted.has(query) && (!both.has(query) || (handle === 'ad_id' && !found.has(query)))
  })
}

/** Splits the handles into several requests: each has at most `handleLimit` names and at most `handleLimit` campaign ids. */
export function batchesOf({ names, wholes, numbers }: Handles): { names: string[]; ad_ids: string[] }[] {
  const asNames = [...names, ...wholes, ...numbers]
  const count = Math.ceil(asNames.length / handleLimit)
  const piece = (list: string[], at: number) => list.slice(at * handleLimit, (at + 1) * handleLimit)
  return Array.from({ length: count }, (_, at) => ({ names: piece(asNames, at), ad_ids: piece(numbers, at) }))
}

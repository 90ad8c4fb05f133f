// In charge of what the board's address says: search, filter, sort. An address is shared and edited by hand, so
// whatever cannot be read is left out instead of failing.

/** The board's part of the address. `filter` and `sort` are kept as the JSON the feeds take. */
export type BoardSearch = {
  q?: string
  filter?: string
  sort?: string
  layout?: Layout
}

/** Columns side by side, or pictures. */
export type Layout = 'columns' | 'gallery'
export const isLayout = (value: unknown): value is Layout => value === 'columns' || value === 'gallery'

export type Sort = { field: string; direction: 1 | -1 }
/** The parameters of requests for feeds. */
export type FeedParams = { query?: string; sort?: string; search?: string }

export function readBoardSearch(raw: Record<string, unknown>): BoardSearch {
  const { q, filter, sort, layout } = raw
  // The router reads an address as JSON where it can, so digits arrive as a number and a filter as an object.
  const text = typeof q === 'number' ? String(q) : q
  const group = typeof filter === 'string' ? parsed(filter) : filter
  return {
    ...(typeof text === 'string' && text !== '' ? { q: text } : {}),
    ...(isGroup(group) && group.rules.length > 0 ? { filter: JSON.stringify(group) } : {}),
    ...(typeof sort === 'string' && parseSort(sort) ? { sort } : {}),
    ...(isLayout(layout) ? { layout } : {}),
  }
}

/** `-deadline_at` is descending, as in many an address. */
export function parseSort(text: string | undefined): Sort | null {
  const match = /^(-?)([a-z_]+)$/.exec(text ?? '')
  return match?.[2] ? { field: match[2], direction: match[1] === '-' ? -1 : 1 } : null
}

export const sortText = ({ field, direction }: Sort): string => (direction === -1 ? `-${field}` : field)

export type Group = { combinator?: string; rules: unknown[]; not?: boolean }
const isGroup = (value: unknown): value is Group =>
  typeof value === 'object' && value !== null && 'rules' in value && Array.isArray(value.rules)

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

export function readFilter(filter: string | undefined): Group | null {
  const group = filter === undefined ? null : parsed(filter)
  return isGroup(group) ? group : null
}

/** A filter as an address has it: without the ids a builder numbers its rows with. */
export function filterText(group: Group): string {
  return JSON.stringify(group, (name, value) => (name === 'id' || name === 'path' ? undefined : value))
}

/** How many conditions a filter has, in all its groups. */
export function countRules(group: Group | null): number {
  return (group?.rules ?? []).reduce<number>((sum, rule) => sum + (isGroup(rule) ? countRules(rule) : 1), 0)
}

/** The parameters of a feed for an address. `sortable`: the fields that this feed can be sorted by. */
export function feedParams(search: BoardSearch, sortable: readonly string[]): FeedParams {
  const sort = parseSort(search.sort)
  return {
    ...(search.filter === undefined ? {} : { query: search.filter }),
    ...(sort && sortable.includes(sort.field) ? { sort: JSON.stringify(sort) } : {}),
    ...(search.q === undefined ? {} : { search: search.q }),
  }
}

/** A feed's parameters, of tasks with a finished creative alone: others have no picture. */
export const withPictures = (params: FeedParams): FeedParams =>
  withRule(params, { field: 'creatives_done', operator: '>', value: 0 })

/** A feed's parameters with one condition more. */
export function withRule(params: FeedParams, rule: { field: string; operator: string; value: unknown }): FeedParams {
  const group = readFilter(params.query)
  // Joins the group's own rules if all of them must hold, since filters may be nested only to a certain depth.
  const rules = group && (group.not || group.combinator === 'or') ? [rule, group] : [...(group?.rules ?? []), rule]
  return { ...params, query: filterText({ combinator: 'and', rules }) }
}

/** The router's words for an address: plain text stays plain, so that it can be read and typed. */
export function parseAddress(text: string): Record<string, unknown> {
  return Object.fromEntries(new URLSearchParams(text))
}

export function writeAddress(search: Record<string, unknown>): string {
  const written = new URLSearchParams()
  for (const [name, value] of Object.entries(search))
    if (typeof value === 'string' && value !== '') written.set(name, value)
  return written.size === 0 ? '' : `?${written}`
}

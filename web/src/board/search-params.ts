// In charge of the board's parameters in the page's address: search, filter, sort order, and whether columns or the gallery are
// shown. Users share and edit addresses; a parameter that cannot be read is therefore ignored instead of causing an error.
import { withLocalDays } from './filter-days.ts'
import { type Group, isGroup } from './filter-group.ts'

/**
 * The board's parameters in the address. `filter` is JSON as the service accepts it in requests, but a time in it may be a day in
 * the user's time zone. `sort` is the name of a field, with a minus sign before it for descending order.
 */
export type BoardSearch = {
  q?: string
  filter?: string
  sort?: string
  layout?: Layout
}

/** How the board is shown: as columns side by side, or as a gallery of pictures. */
export type Layout = 'columns' | 'gallery'
export const isLayout = (value: unknown): value is Layout => value === 'columns' || value === 'gallery'

export type Sort = { field: string; direction: 1 | -1 }
/** The query parameters of a request for a feed, that is, for the cards of a column or of the gallery. */
export type FeedParams = { query?: string; sort?: string; search?: string }

export function readBoardSearch(raw: Record<string, unknown>): BoardSearch {
  const { q, filter, sort, layout } = raw
  const group = typeof filter === 'string' ? readFilter(filter) : null
  return {
    ...(typeof q === 'string' && q !== '' ? { q } : {}),
    ...(group && group.rules.length > 0 ? { filter: JSON.stringify(group) } : {}),
    ...(typeof sort === 'string' && parseSort(sort) ? { sort } : {}),
    ...(isLayout(layout) ? { layout } : {}),
  }
}

/** Parses a sort order such as `-deadline_at`, where the minus sign means descending; null if the text is no sort order. */
export function parseSort(text: string | undefined): Sort | null {
  const match = /^(-?)([a-z_]+)$/.exec(text ?? '')
  return match?.[2] ? { field: match[2], direction: match[1] === '-' ? -1 : 1 } : null
}

export const sortText = ({ field, direction }: Sort): string => (direction === -1 ? `-${field}` : field)

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

/** A filter as it is written into the address: without the ids that the filter builder adds to its rows. */
export function filterText(group: Group): string {
  return JSON.stringify(group, (name, value) => (name === 'id' || name === 'path' ? undefined : value))
}

/** The number of conditions in a filter, including those in nested groups. */
export function countRules(group: Group | null): number {
  return (group?.rules ?? []).reduce<number>((sum, rule) => sum + (isGroup(rule) ? countRules(rule) : 1), 0)
}

/**
 * Converts parameters of the address into query parameters of a feed. `sortable`: the fields by which the feed can be sorted; a
 * sort order by another field is left out. `times`: the fields that contain a date and a time.
 */
export function feedParams(search: BoardSearch, sortable: readonly string[], times: ReadonlySet<string>): FeedParams {
  const sort = parseSort(search.sort)
  const group = readFilter(search.filter)
  return {
    ...(group ? { query: filterText(withLocalDays(group, times)) } : {}),
    ...(sort && sortable.includes(sort.field) ? { sort: JSON.stringify(sort) } : {}),
    ...(search.q === undefined ? {} : { search: search.q }),
  }
}

/** The query parameters of a feed, with the condition that a task has a finished creative, because other tasks have no picture. */
export const withPictures = (params: FeedParams): FeedParams =>
  withRule(params, { field: 'creatives_done', operator: '>', value: 0 })

/** The query parameters of a feed, with one more condition in its filter. */
export function withRule(params: FeedParams, rule: { field: string; operator: string; value: unknown }): FeedParams {
  const group = readFilter(params.query)
  // A group that requires all of its rules gets one more rule and is not nested, because the depth of filters is limited.
  const rules = group && (group.not || group.combinator === 'or') ? [rule, group] : [...(group?.rules ?? []), rule]
  return { ...params, query: filterText({ combinator: 'and', rules }) }
}

/** Parses an address's query string for the router. The values are plain texts, not JSON, so that users can read and type them. */
export function parseAddress(text: string): Record<string, unknown> {
  return Object.fromEntries(new URLSearchParams(text))
}

export function writeAddress(search: Record<string, unknown>): string {
  const written = new URLSearchParams()
  for (const [name, value] of Object.entries(search))
    if (typeof value === 'string' && value !== '') written.set(name, value)
  return written.size === 0 ? '' : `?${written}`
}

// In charge of the limits of the board's filter. They are lower than those of the service, because the board adds rules to the filter
// in some of its requests, and may have to put a group around it.
import { filterLimits } from '@atelier/contract/filter-fields.ts'
import { isGroup } from './filter-group.ts'
import { countRules, type FeedParams, readFilter, withPictures, withRule } from './search-params.ts'

/** The request with the largest filter: the gallery asks which tasks it shows after a change to some tasks. */
const largest = (params: FeedParams): FeedParams =>
  withRule(withPictures(params), { field: 'number', operator: 'in', value: [] })

/** Says which limit the filter exceeds; null if it exceeds none. `params`: the query parameters of a feed with this filter. */
export function limitExceeded(params: FeedParams): string | null {
  const [own, sent] = [readFilter(params.query), readFilter(largest(params).query)]
  const rules = filterLimits.rules - (countRules(sent) - countRules(own))
  if (countRules(own) > rules)
    return `The board can filter by at most ${rules} conditions. Each day in a list counts as one.`
  const depth = filterLimits.depth - (depthOf(sent) - depthOf(own))
  if (depthOf(own) <= depth) return null
  const unless = depth < filterLimits.depth ? ' if that is not “all of these”' : ''
  return `Groups can be nested at most ${depth} deep, counted from the outermost group${unless}.`
}

/** How deep groups are nested; 1 if a group contains no other. */
const depthOf = (member: unknown): number => (isGroup(member) ? 1 + Math.max(0, ...member.rules.map(depthOf)) : 0)

// In charge of the text that the database stores for each creative, for the lookup: the creative's CreativeRef as JSON, without the
// members that come from its pack and from people, and without the closing brace.
import { rollupNames } from '@atelier/contract/creatives.ts'
import type { KeptWithin } from '../../../platform/kept-texts.ts'

const from = (alias: string) => rollupNames.map((member) => `${alias}.${member}`).join(', ')
const refOf = (alias: string) =>
  `(select left(row_to_json(ref)::text, -1) from (
    select c.id, c.name, c.ad_id, ${from(alias)}, iso(c.created_at) as created_at) as ref)`

/**
 * The text is stored only for creatives that have copies of their task's members (`rolled_up_at` is set). The text of other
 * creatives is built when it is read.
 */
export const keptRefs: KeptWithin = {
  column: 'lookup_text',
  of: 'creatives',
  alias: 'c',
  values: { lookup_text: refOf('c') },
  holds: 'c.rolled_up_at is not null',
}

/**
 * An SQL function, created by a migration, that builds the text of a creative. Most rows of creatives contain copies of fields of
 * their task (`rolled_up_at` is set); for a creative whose row does not, the function reads these fields from the view
 * creative_rollup. Because this SQL is in a function, it is not planned in a lookup that finds all texts stored: planning it took 1
 * ms of such a lookup's 1.6 ms.
 */
export const makingFunction = `create function lookup_text_of(creative uuid) returns text language sql stable as $$
  select case when c.rolled_up_at is not null then ${refOf('c')}
    else (select ${refOf('r')} from creative_rollup r where r.id = c.id) end
  from creatives c where c.id = creative
$$`

/** SQL for the text of a creative (alias `c`): the stored text if there is one, otherwise the text built at this moment. */
export const refText = 'coalesce(c.lookup_text, lookup_text_of(c.id))'

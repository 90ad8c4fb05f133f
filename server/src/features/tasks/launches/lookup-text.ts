// In charge of what the database stores of each creative for the lookup: its CreativeRef as JSON text, without the members that
// come from its pack and from people, and without the closing brace.
import { rollupNames } from '@atelier/contract/creatives.ts'
import type { KeptWithin } from '../../../platform/kept-texts.ts'

const from = (alias: string) => rollupNames.map((member) => `${alias}.${member}`).join(', ')
const refOf = (alias: string) =>
  `(select left(row_to_json(ref)::text, -1) from (
    select c.id, c.name, c.ad_id, ${from(alias)}, iso(c.created_at) as created_at) as ref)`

/** A creative from before the rollup has its attributes from its pack, so its text is computed when it is read. */
export const keptRefs: KeptWithin = {
  column: 'lookup_text',
  of: 'creatives',
  alias: 'c',
  values: { lookup_text: refOf('c') },
  holds: 'c.rolled_up_at is not null',
}

/**
 * The statement of a migration for computing the text of a creative; the view computes what the rollup would have stored. It is a
 * function, so that a lookup of stored texts does not have to plan it: that took 1 ms of a statement's 1.6.
 */
export const makingFunction = `create function lookup_text_of(creative uuid) returns text language sql stable as $$
  select case when c.rolled_up_at is not null then ${refOf('c')}
    else (select ${refOf('r')} from creative_rollup r where r.id = c.id) end
  from creatives c where c.id = creative
$$`

/** The text of alias `c`: the stored one, otherwise computed now. */
export const refText = 'coalesce(c.lookup_text, lookup_text_of(c.id))'

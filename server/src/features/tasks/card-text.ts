// In charge of what the database keeps of each task: its card as JSON text, and whom and what the card names.
import type { KeptBeside } from '../../platform/kept-texts.ts'
import { cardColumns } from './json.ts'

/** Of alias `t`, made now. */
const madeCard = `(select row_to_json(card)::text from (select ${cardColumns}) as card)`

/** Ids of assignee, owner and product, in this order; an empty word for none. */
const madeNamed = `concat(t.assignee_id, ',', t.task_owner_id, ',', t.product_id)`

export const keptCards: KeptBeside = {
  table: 'task_cards',
  key: 'task_id',
  of: 'tasks',
  alias: 't',
  values: { text: madeCard, named: madeNamed },
  holds: 'true',
}

/** Cards and what they name of the tasks in `page`, which has `id`: kept ones as they are, others made now. */
export const cardOf = {
  join: 'left join task_cards kept on kept.task_id = page.id',
  text: `coalesce(kept.text, (select ${madeCard} from tasks t where t.id = page.id))`,
  named: `coalesce(kept.named, (select ${madeNamed} from tasks t where t.id = page.id))`,
}

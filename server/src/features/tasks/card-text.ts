// In charge of what the database stores for each task: its card as JSON text, and the ids of the people and the product on it.
import type { KeptBeside } from '../../platform/kept-texts.ts'
import { cardColumns } from './json.ts'

/** The text of the card of alias `t`, computed now. */
const madeCard = `(select row_to_json(card)::text from (select ${cardColumns}) as card)`

/** The ids of assignee, owner and product, in this order; an empty string for none. */
const madeNamed = `concat(t.assignee_id, ',', t.task_owner_id, ',', t.product_id)`

export const keptCards: KeptBeside = {
  table: 'task_cards',
  key: 'task_id',
  of: 'tasks',
  alias: 't',
  values: { text: madeCard, named: madeNamed },
  holds: 'true',
}

/** The cards of the tasks in `page`, which has `id`: stored texts where there are some, others computed now. */
export const cardOf = {
  join: 'left join task_cards kept on kept.task_id = page.id',
  text: `coalesce(kept.text, (select ${madeCard} from tasks t where t.id = page.id))`,
  named: `coalesce(kept.named, (select ${madeNamed} from tasks t where t.id = page.id))`,
}

// In charge of two texts that the database stores for each task: the task's card as JSON, and the ids of the users and the product
// that the card shows.
import type { KeptBeside } from '../../platform/kept-texts.ts'
import { cardColumns } from './json.ts'

/** SQL that builds the card of a task (alias `t`) as JSON text. */
const madeCard = `(select row_to_json(card)::text from (select ${cardColumns}) as card)`

/** SQL that joins the ids of assignee, owner and product, in this order. A missing id is an empty string. */
const madeNamed = `concat(t.assignee_id, ',', t.task_owner_id, ',', t.product_id)`

export const keptCards: KeptBeside = {
  table: 'task_cards',
  key: 'task_id',
  of: 'tasks',
  alias: 't',
  values: { text: madeCard, named: madeNamed },
  holds: 'true',
}

/**
 * Parts of an SQL query that reads the cards of the tasks in `page` (column `id`). A card that is not stored is built when it is
 * read.
 */
export const cardOf = {
  join: 'left join task_cards kept on kept.task_id = page.id',
  text: `coalesce(kept.text, (select ${madeCard} from tasks t where t.id = page.id))`,
  named: `coalesce(kept.named, (select ${madeNamed} from tasks t where t.id = page.id))`,
}

// In charge of the SQL for products: listing, adding and renaming them.
import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import type { Position } from '../../platform/cursor.ts'
import { type Db, isUniqueViolation, Retry, tellChanged } from '../../platform/db.ts'

const productText = sql<string>`json_build_object('id', id, 'name', name, 'code', code, 'created_at', iso(created_at))::text`

export async function listProducts(
  db: Db,
  after: Position | null,
  take: number,
): Promise<{ id: string; name: string; text: string }[]> {
  const found = await sql<{ id: string; name: string; text: string }>`
    select id, name, ${productText} as text from products
    ${after ? sql`where (name collate "C", id) > (${after.key}::text collate "C", ${after.id}::uuid)` : sql``}
    order by name collate "C", id limit ${take}`.execute(db)
  return found.rows
}

/** Adds a product and returns it as JSON text; null if another product has the same name or code. */
export async function insertProduct(tx: Db, { name, code }: { name: string; code: string }): Promise<string | null> {
  const id = uuidv7()
  const added = await sql<{ text: string }>`
    insert into products (id, name, code) values (${id}, ${name}, ${code})
    on conflict do nothing returning ${productText} as text`.execute(tx)
  if (added.rows.length > 0) tellChanged(tx, 'product', id)
  return added.rows[0]?.text ?? null
}

/**
 * Renames a product; if `name` is null, the product keeps its name. Returns the product as JSON text; `taken` if another product
 * has the name, null if no product has this id.
 */
export async function renameProduct(tx: Db, id: string, name: string | null): Promise<string | 'taken' | null> {
  if (name !== null) {
    const holder = await tx.selectFrom('products').select('id').where('name', '=', name).executeTakeFirst()
    if (holder && holder.id !== id.toLowerCase()) return 'taken'
  }
  try {
    const changed = await sql<{ text: string }>`
      update products set name = coalesce(${name}::text, name) where id = ${id}
      returning ${productText} as text`.execute(tx)
    tellChanged(tx, 'product', id)
    return changed.rows[0]?.text ?? null
  } catch (error) {
    if (isUniqueViolation(error, 'products_name')) throw new Retry('the name was taken meanwhile', { cause: error })
    throw error
  }
}

// In charge of the SQL for rolls, for the inputs in them, and for answers, which people set on units of runs.
import { filesIn } from '@atelier/contract/graph/definition.ts'
import { type Selectable, sql } from 'kysely'
import type { Db } from '../../platform/db.ts'
import type { RunRollsTable } from '../../platform/tables.ts'
import type { Answered, NewRoll, Roll } from '../model/marks.ts'
import type { UnitName } from '../model/units.ts'
import { asObject, useFiles } from './unit-store.ts'

export async function readRolls(db: Db, runId: string): Promise<Roll[]> {
  const rows = await db
    .selectFrom('run_rolls')
    .selectAll()
    .where('run_id', '=', runId)
    .orderBy('node_id')
    .orderBy('item')
    .execute()
  return rows.map(ofRollRow)
}

const ofRollRow = ({ node_id, item, position, roll, inputs }: Selectable<RunRollsTable>): Roll => ({
  ...{ node: node_id, item, position, roll },
  inputs: asObject(inputs),
})

/** Reads the rolls that were set on these units themselves: for an item, the roll of its node is not read. */
export async function readRollsOf(db: Db, runId: string, units: readonly UnitName[]): Promise<Roll[]> {
  const { rows } = await sql<Selectable<RunRollsTable>>`
    select * from run_rolls where run_id = ${runId} and (node_id, item) in (
      select * from unnest(${units.map(({ node }) => node)}::text[], ${units.map(({ item }) => item)}::text[]))`.execute(
    db,
  )
  return rows.map(ofRollRow)
}

/** Stores new rolls. Afterwards, the stored rolls are those that `rollsAfter` would return. */
export async function setRolls(tx: Db, runId: string, rolls: readonly NewRoll[]): Promise<void> {
  for (const { node, roll } of rolls.filter(({ item }) => item === '')) {
    await sql`
      delete from run_rolls where run_id = ${runId} and node_id = ${node} and item <> '' and inputs is null`.execute(tx)
    await sql`
      update run_rolls set roll = ${roll} where run_id = ${runId} and node_id = ${node} and item <> ''`.execute(tx)
  }
  if (rolls.length === 0) return
  const rows = rolls.map(({ node, item, position, roll, inputs }) => ({
    ...{ node_id: node, item, position, roll, inputs },
    keeps: inputs === undefined,
  }))
  await sql`
    with x as (select * from json_to_recordset(${JSON.stringify(rows)}::json)
      as x (node_id text, item text, position int, roll text, inputs json, keeps boolean))
    insert into run_rolls (run_id, node_id, item, position, roll, inputs)
    select ${runId}, x.node_id, x.item, x.position, x.roll, case when x.keeps then (select r.inputs from run_rolls r
      where r.run_id = ${runId} and r.node_id = x.node_id and r.item = x.item) else x.inputs end
    from x
    on conflict (run_id, node_id, item) do update set
      roll = excluded.roll, position = excluded.position, inputs = excluded.inputs`.execute(tx)
}

export async function readAnswers(db: Db, runId: string): Promise<Answered[]> {
  return db
    .selectFrom('run_answers')
    .select(['node_id as node', 'item', 'position', 'asked', 'answer', 'by_user', 'by_token', 'at'])
    .where('run_id', '=', runId)
    .orderBy('node_id')
    .orderBy('item')
    .execute()
}

export async function setAnswer(tx: Db, runId: string, { node, answer, ...given }: Answered): Promise<void> {
  const row = { ...given, answer: JSON.stringify(answer) }
  await tx
    .insertInto('run_answers')
    .values({ run_id: runId, node_id: node, ...row })
    .onConflict((conflict) => conflict.columns(['run_id', 'node_id', 'item']).doUpdateSet(row))
    .execute()
}

/** Deletes the answers to gates: for a node, those about all of its items too; for an item, only the answer about it. */
export async function deleteAnswers(tx: Db, runId: string, gates: readonly UnitName[]): Promise<void> {
  for (const { node, item } of gates) {
    await tx
      .deleteFrom('run_answers')
      .where('run_id', '=', runId)
      .where('node_id', '=', node)
      .$if(item !== '', (query) => query.where('item', '=', item))
      .execute()
  }
}

/**
 * Copies rolls and answers of the run `from` to the run `to`, except for units on which `to` has its own. Links all files in
 * the inputs of the rolls of `to` to that run.
 */
export async function copyMarks(tx: Db, from: string, to: string): Promise<void> {
  await sql`
    insert into run_rolls (run_id, node_id, item, position, roll, inputs)
    select ${to}, node_id, item, position, roll, inputs from run_rolls where run_id = ${from}
    on conflict do nothing`.execute(tx)
  const owned = await sql<{ inputs: unknown }>`
    select inputs from run_rolls where run_id = ${to} and inputs is not null`.execute(tx)
  const digests = owned.rows.flatMap(({ inputs }) => filesIn(inputs).map(({ digest }) => digest))
  await useFiles(tx, 'run', to, digests)
  await sql`
    insert into run_answers (run_id, node_id, item, position, asked, answer, by_user, by_token, at)
    select ${to}, node_id, item, position, asked, answer, by_user, by_token, at from run_answers where run_id = ${from}
    on conflict do nothing`.execute(tx)
}

/** Deletes all rolls and answers of a run, before a restore writes those of a checkpoint. */
export async function deleteMarks(tx: Db, runId: string): Promise<void> {
  await tx.deleteFrom('run_rolls').where('run_id', '=', runId).execute()
  await tx.deleteFrom('run_answers').where('run_id', '=', runId).execute()
}

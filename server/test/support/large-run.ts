// In charge of adding results of any size to a run, with SQL and without a worker, which takes only seconds.

type Rows = (text: string, values?: unknown[]) => Promise<unknown[]>

/** Adds a node `large` to a run, with this many items; each item's outputs have this many bytes. */
export async function growRun(rows: Rows, runId: string, size: { items: number; bytes: number }): Promise<void> {
  await rows(
    `insert into run_states (run_id, node_id, item, status, item_count, generation, change)
    select id, 'large', '', 'succeeded', $2::int, generation, changes from runs where id = $1`,
    [runId, size.items],
  )
  // Items are written one by one, because the embedded database would keep all of them in memory at once.
  for (let position = 0; position < size.items; position++) {
    await rows(
      `insert into run_states (run_id, node_id, item, position, status, outputs, generation, change)
      select id, 'large', $2, $3::int, 'succeeded', ('{"text":"' || repeat(md5($2), $4::int) || '"}')::json, generation, changes
      from runs where id = $1`,
      [runId, `${position.toString(16).padStart(32, '0')}.0`, position, Math.ceil(size.bytes / 32)],
    )
  }
}

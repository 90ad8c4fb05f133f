// In charge of making a run large by SQL, in seconds: results of any size, without a worker that makes them.

type Rows = (text: string, values?: unknown[]) => Promise<unknown[]>

/** Gives a run a node `large` with so many items, each with outputs of so many bytes. */
export async function growRun(rows: Rows, runId: string, size: { items: number; bytes: number }): Promise<void> {
  await rows(
    `insert into run_states (run_id, node_id, item, status, item_count, generation, change)
    select id, 'large', '', 'succeeded', $2::int, generation, changes from runs where id = $1`,
    [runId, size.items],
  )
  // One at a time: the embedded database would hold all of them in memory.
  for (let position = 0; position < size.items; position++) {
    await rows(
      `insert into run_states (run_id, node_id, item, position, status, outputs, generation, change)
      select id, 'large', $2, $3::int, 'succeeded', ('{"text":"' || repeat(md5($2), $4::int) || '"}')::json, generation, changes
      from runs where id = $1`,
      [runId, `${position.toString(16).padStart(32, '0')}.0`, position, Math.ceil(size.bytes / 32)],
    )
  }
}

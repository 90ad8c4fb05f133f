// Facts about cutting the history of a run while another process works with the run.
import { expect, test } from 'vitest'
import { expireRuns } from '../../src/engine/store/expire.ts'
import { lockRun } from '../../src/engine/store/runs.ts'
import { definitionOf } from '../support/definitions.ts'
import { startService } from '../support/harness.ts'
import { makeRun } from '../support/runs.ts'

const texts = (text: string) => definitionOf({ line: { type: 'text.template', params: { template: text } } })

test('the history of a run that is being restored is left as it is, and cut later', async () => {
  const service = await startService()
  try {
    const { id } = await makeRun(service, texts('point 0'))
    await service.patch(`/api/v1/runs/${id}`, { definition: texts('point 1') })
    await service.rows(`update checkpoints set at = at - interval '10 days' where subject_id = $1`, [id])
    const other = await service.another()
    const cut = () => expireRuns(other.database, { runs: null, history: 86_400 })
    await service.database.tx(async (tx) => {
      await lockRun(tx, id) // as a restore does before it reads the checkpoint
      expect((await cut()).checkpoints).toBe(0)
    })
    expect((await cut()).checkpoints).toBe(1)
  } finally {
    await service.close()
  }
})

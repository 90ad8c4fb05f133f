// Facts about processes that are killed after the end of a run, before they propose its result as a version.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { killChildren, startChild } from '../support/child.ts'
import { definitionOf } from '../support/definitions.ts'
import { eventually } from '../support/eventually.ts'
import { type Body, type Service, startService } from '../support/harness.ts'
import { makers } from '../support/make.ts'
import { makeRun, runThrough, untilStatus } from '../support/runs.ts'
import type { TakerOrders } from '../support/taker.ts'

let service: Service
let data: string
beforeAll(async () => {
  data = await mkdtemp(path.join(tmpdir(), 'atelier-taker-'))
  service = await startService()
  await service.app.worker.start()
})
afterEach(killChildren)
afterAll(async () => {
  await service.close()
  await rm(data, { recursive: true, force: true })
})

const startTaker = (crashAt: string) => {
  const orders: TakerOrders = { url: service.url ?? '', files: service.config.files ?? '', data, crashAt }
  return startChild('server/test/support/taker.ts', [JSON.stringify(orders)])
}

test('crash: killed before and while it proposes a version, a process leaves the take under way, and the next one proposes it once', async () => {
  const make = makers(service)
  const { id: taskId } = await make.task()
  const definition = definitionOf({
    image: { type: 'sample.image', params: { prompt: 'tea', width: 64, height: 64, format: 'svg' } },
  })
  const { id: runId } = await makeRun(service, definition, { pinned_task_id: taskId })
  await runThrough(service, runId)
  await service.post(`/api/v1/runs/${runId}/export`, { outputs: [{ node_id: 'image' }] })
  const [{ id }] = (await make.read(`/api/v1/tasks/${taskId}/creatives`)).items
  const comments = `/api/v1/creatives/${id}/review-comments`
  const comment = await service.post(comments, { text: 'Make this warmer' })
  const { take } = (await service.post(`/api/v1/review-comments/${comment.data.id}/takes`)).data
  await untilStatus(service, take.run_id, 'succeeded')
  const stateOf = async () => {
    const [{ take: now }] = (await make.read(comments)).items
    const versions: Body[] = (await make.read(`/api/v1/creatives/${id}/versions`)).items
    const notices: Body[] = (await make.read('/api/v1/notices')).items
    return [now.state, versions.length, notices.filter(({ kind }) => kind === 'take_proposed').length]
  }
  for (const place of ['take-ready', 'take-proposed']) {
    const taker = startTaker(place)
    expect(await taker.ended, taker.stderr()).toEqual({ code: null, signal: 'SIGKILL' })
    expect(await stateOf()).toEqual(['under_way', 1, 0])
  }
  startTaker('')
  const ended = await eventually(async () => {
    const state = await stateOf()
    if (state[0] === 'under_way') throw new Error('The take is under way.')
    return state
  })
  expect(ended).toEqual(['proposed', 2, 1])
})

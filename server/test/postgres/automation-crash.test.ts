// Facts about automations when a process dies: the worker that executes the run, or the process that acts on the ended run.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { automations } from '../support/automations.ts'
import { type Child, killChildren, startChild } from '../support/child.ts'
import { definitionOf } from '../support/definitions.ts'
import { type Service, startService } from '../support/harness.ts'

let service: Service
let on: ReturnType<typeof automations>
let folder: string
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'atelier-crash-'))
  service = await startService()
  on = automations(service)
})
afterEach(async () => {
  await killChildren()
  await service.close()
  await rm(folder, { recursive: true, force: true })
})

/** Starts a process of the product on the service's database and files. */
const startProcess = (command: 'serve' | 'work', more: Record<string, string> = {}): Child =>
  startChild('server/src/main.ts', [command], {
    DATABASE_URL: service.url ?? '',
    ATELIER_FILES: service.config.files ?? '',
    ATELIER_DATA_DIR: folder,
    ATELIER_DEMO: 'false',
    PORT: '0',
    ...more,
  })

const slowPicture = (ms: number) =>
  definitionOf(
    {
      copy: { type: 'sample.chat', params: { prompt: 'Cold feet', delay_ms: ms } },
      picture: { type: 'sample.image', params: { width: 64, height: 64, format: 'svg' } },
    },
    'copy.text > picture.prompt',
  )

test('crash: a worker is killed in the middle of the run, another takes over, and the card has its file and has moved once', async () => {
  service.app.automations.start()
  await on.add('Killed', slowPicture(3000))
  const { id } = await on.task('Killed')
  const worker = startProcess('work')
  await worker.printed(/Working on runs/)
  await on.enter(id)
  const [{ id: run }] = await on.runsOf(id)
  await expect.poll(async () => (await on.make.read(`/api/v1/runs/${run}`)).nodes.copy?.status).toBe('running')
  await on.untilState(id, 'running')
  worker.kill('SIGKILL')
  expect((await worker.ended).signal).toBe('SIGKILL')
  expect((await on.read(id)).automation.state).toBe('running')
  await service.app.worker.start()
  const done = await on.untilState(id, 'succeeded')
  expect(done.status).toBe('tech_check')
  expect(await on.creativesOf(id)).toHaveLength(1)
  expect(await on.told(id, 'automation_ended')).toHaveLength(1)
})

test('crash: a process is killed while it brings forty to their ends, and none is exported or moved twice, or not at all', async () => {
  const count = 40
  await on.add('Killed ends', slowPicture(0))
  const ids: string[] = []
  for (let at = 0; at < count; at += 1) ids.push((await on.task('Killed ends')).id)
  const ending = startProcess('serve', { ATELIER_WORK: 'false' })
  await ending.printed(/Atelier is ready/)
  await service.app.worker.start()
  await service.post('/api/v1/tasks/bulk', { ids, patch: { status: 'ready_for_production' } })
  const ended = async () =>
    (await service.rows(`select count(*)::int as n from tasks where automation_state = 'succeeded'`))[0].n
  await expect.poll(ended).toBeGreaterThan(3)
  ending.kill('SIGKILL')
  await ending.ended
  expect(await ended()).toBeLessThan(count)
  service.app.automations.start()
  await expect.poll(ended).toBe(count)
  const counted = await service.rows(`
    select t.status, t.creatives_total as creatives,
      (select count(*)::int from activity a where a.task_id = t.id and a.kind = 'automation_ended') as ended,
      (select count(*)::int from activity a where a.task_id = t.id and a.kind = 'task_moved') as moved,
      (select count(*)::int from exports e where e.task_id = t.id) as exported
    from tasks t group by 1, 2, 3, 4, 5`)
  expect(counted).toEqual([{ status: 'tech_check', creatives: 1, ended: 1, moved: 2, exported: 1 }])
})

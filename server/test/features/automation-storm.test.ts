// Facts about automations when everything happens at once: people move, delete and restore the tasks and cancel the runs, and two
// processes finish the automations whose runs have ended.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { automations, pictureOf } from '../support/automations.ts'
import { type Reply, type Service, startService } from '../support/harness.ts'
import { randomNumbers } from '../support/random.ts'
import { createProvider, testNodes } from '../support/test-nodes.ts'

let service: Service
let other: Service
beforeAll(async () => {
  service = await startService({}, undefined, testNodes(createProvider()))
  other = await service.another()
  for (const { app } of [service, other]) app.automations.start()
  await service.app.worker.start()
})
afterAll(async () => {
  await other.close()
  await service.close()
})

test('whatever people do at once, every run that started ends once, and exports once or not at all', async () => {
  const on = automations(service)
  await on.add('Storm', pictureOf('storm'))
  await on.add('Storm', pictureOf('storm back'), { on_status: 'creative_check', to_status: 'backlog' })
  const first: string = (await on.task('Storm')).id
  const others: string[] = []
  for (let at = 0; at < 7; at += 1) others.push((await on.task('Storm')).id)
  const statuses = ['backlog', 'ready_for_production', 'creative_check', 'ready_for_production'] as const
  const cancelOne = async (through: Service): Promise<Reply | null> => {
    const [live] = await service.rows('select run_id from live_automations limit 1')
    return live ? through.post(`/api/v1/runs/${live.run_id}/cancel`) : null
  }
  const person = async (seed: number): Promise<number[]> => {
    const random = randomNumbers(seed)
    const pick = <T>(among: readonly [T, ...T[]]): T => among[Math.floor(random() * among.length)] ?? among[0]
    const through = seed % 2 === 0 ? service : other
    const answers: number[] = []
    for (let turn = 0; turn < 25; turn += 1) {
      const path = `/api/v1/tasks/${pick([first, ...others])}`
      const patch = { status: pick(statuses) }
      const move = () => through.patch(path, patch)
      const moveAll = () => through.post('/api/v1/tasks/bulk', { ids: others, patch })
      const remove = () => through.del(path)
      const restore = () => through.post(`${path}/restore`)
      const deed = pick([move, move, move, move, moveAll, remove, restore, restore, () => cancelOne(through)])
      answers.push((await deed())?.status ?? 200)
    }
    return answers
  }
  const countEnded = async (): Promise<number> => {
    const [{ ended }] = await service.rows(
      `select count(*)::int as ended from activity where kind = 'automation_ended'`,
    )
    return ended
  }
  const answers = (await Promise.all([1, 2, 3, 4, 5, 6].map(person))).flat()
  // If runs are slow, few of them end during these rounds, so more rounds follow until enough have ended.
  for (let seed = 7; (await countEnded()) <= 10; seed += 1) answers.push(...(await person(seed)))
  expect(answers.filter((status) => ![200, 404, 409].includes(status))).toEqual([])

  const left = () => service.rows('select * from live_automations')
  await expect.poll(left).toEqual([])
  const odd = await service.rows(`
    select r.id, r.status, e.exported, a.started, a.ended, a.succeeded
    from runs r,
      lateral (select count(*)::int as exported from exports where run_id = r.id) e,
      lateral (select count(*) filter (where kind = 'automation_started')::int as started,
        count(*) filter (where kind = 'automation_ended')::int as ended,
        count(*) filter (where kind = 'automation_ended' and changes #>> '{state,to}' = 'succeeded')::int as succeeded
        from activity where subject_id = r.id) a
    where a.started <> 1 or a.ended <> 1 or e.exported <> a.succeeded`)
  expect(odd).toEqual([])
  const unsaid = await service.rows(`
    select automation_state from tasks where automation_state not in ('succeeded', 'failed')
      or (automation_state = 'failed') <> (automation_error is not null)`)
  expect(unsaid).toEqual([])
})

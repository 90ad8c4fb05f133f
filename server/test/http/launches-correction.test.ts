// Facts about launches that were recorded wrongly: they can be corrected, the lookup then ignores what was wrong, and the history
// of the task still shows it.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Body, type Service, startService } from '../support/harness.ts'
import { doors, freshAdId } from '../support/launch.ts'
import { faults, makers, nobody, refusal } from '../support/make.ts'

let service: Service
let make: ReturnType<typeof makers>
let launch: ReturnType<typeof doors>
beforeAll(async () => {
  service = await startService()
  make = makers(service)
  launch = doors(service)
})
afterAll(() => service.close())

let serial = 0
const pack = (count = 1, members = {}) =>
  make.taskWith(
    Array.from({ length: count }, () => `Corrected ${++serial}`),
    members,
  )
const day = (at: number) => `2026-0${at}-01T00:00:00.000Z`
const history = async (task: Body): Promise<Body[]> => (await make.read(`/api/v1/tasks/${task.id}/launches`)).items
const correct = (id: string, body: object) => service.post(`/api/v1/launches/${id}/correction`, body)
/** A creative that was launched under the campaign id `wrong` by `entry`, which was then corrected to `right`. */
async function corrected() {
  const { task, creatives } = await pack()
  const [wrong, right] = [freshAdId(), freshAdId()]
  const entry = { name: creatives[0].name, ad_id: wrong, launched_at: day(1) }
  await launch.creatives(entry)
  const [first] = await history(task)
  await correct(first.id, { ad_id: right })
  return { task, creatives, entry, wrong, right }
}
const found = async (...ad_ids: string[]) => (await launch.lookup({ ad_ids })).map(({ creatives }) => creatives.length)
const taskOf = (task: Body) => make.read(`/api/v1/tasks/${task.id}`)
const creativeOf = ({ id }: Body) => make.read(`/api/v1/creatives/${id}`)

test('a wrong campaign id of a pack is corrected: only the right one is found, the day stays, and the history has both', async () => {
  const { task, creatives } = await pack(2)
  const [wrong, right] = [freshAdId(), freshAdId()]
  await launch.packs({ task_id: task.id, ad_id: wrong, launched_at: day(1) })
  const [first] = await history(task)
  expect(first).toMatchObject({ ad_id: wrong, launched_at: day(1), creative_id: null, voided: null })
  expect(first.by).toMatchObject({ user_id: service.owner.id })

  const { status, data } = await correct(first.id, { ad_id: right })
  expect([status, data]).toMatchObject([
    200,
    { id: first.id, voided: { ad_id: right, by: { user_id: service.owner.id } } },
  ])
  expect(await found(wrong, right)).toEqual([0, 2])
  expect(await taskOf(task)).toMatchObject({ ad_id: right, launched_at: day(1), test_status: 'in_test' })
  for (const one of creatives) expect(await creativeOf(one)).toMatchObject({ ad_id: right, launched_at: day(1) })
  expect(await history(task)).toMatchObject([
    { ad_id: right, voided: null },
    { ad_id: wrong, voided: { ad_id: right } },
  ])
  const [entry] = (await make.read(`/api/v1/tasks/${task.id}/activity`)).items
  expect(entry).toMatchObject({ kind: 'launch_corrected', changes: { ad_id: { from: wrong, to: right } } })
})

test('a launch that never was is taken back, with what it set; others and what a person keeps stay', async () => {
  const { task, creatives } = await pack(1)
  const adId = freshAdId()
  await launch.creatives({ name: creatives[0].name, ad_id: adId, launched_at: day(2) })
  const [only] = await history(task)
  expect(only).toMatchObject({ creative_id: creatives[0].id, name: creatives[0].name })
  expect((await correct(only.id, { ad_id: null })).data.voided).toMatchObject({ ad_id: null })
  expect(await creativeOf(creatives[0])).toMatchObject({ ad_id: null, launched_at: null })
  expect(await found(adId)).toEqual([0])

  const kept = await pack(1, { manual_launch: true, launched_at: day(3) })
  const [wrong, right] = [freshAdId(), freshAdId()]
  await launch.packs({ task_id: kept.task.id, ad_id: wrong, launched_at: day(3) })
  await launch.packs({ task_id: kept.task.id, ad_id: right, launched_at: day(4) })
  const [, first] = await history(kept.task)
  await correct(first.id, { ad_id: null })
  expect(await taskOf(kept.task)).toMatchObject({ ad_id: right, launched_at: day(3) })
  expect(await creativeOf(kept.creatives[0])).toMatchObject({ ad_id: right, launched_at: day(4) })
})

test('a wrong day is corrected, and a correction can be corrected back', async () => {
  const { task } = await pack()
  const adId = freshAdId()
  await launch.packs({ task_id: task.id, ad_id: adId, launched_at: day(1) })
  const [first] = await history(task)
  await correct(first.id, { ad_id: adId, launched_at: day(5) })
  expect(await taskOf(task)).toMatchObject({ ad_id: adId, launched_at: day(5) })
  const [second] = await history(task)
  await correct(second.id, { ad_id: adId, launched_at: day(1) })
  expect(await taskOf(task)).toMatchObject({ ad_id: adId, launched_at: day(1) })
  expect((await history(task)).map(({ voided }) => voided !== null)).toEqual([false, true, true])
})

test('a launch tool that sends the same again does not bring the mistake back', async () => {
  const { entry, wrong, right } = await corrected()
  expect(await launch.creatives(entry)).toMatchObject([{ recorded: false }])
  expect(await found(wrong, right)).toEqual([0, 1])
  // The same campaign id on another day is a separate launch.
  expect(await launch.creatives({ ...entry, launched_at: day(2) })).toMatchObject([{ recorded: true }])
})

describe('an entry without a date is recorded after one of the same request that equals a voided launch', () => {
  /** What was recorded of these entries, the first of which was recorded before by itself, and then voided. */
  const sent = async (record: (...entries: Body[]) => Promise<Body[]>, voided: Body, ...entries: Body[]) => {
    await record(voided)
    const [{ id }] = await service.rows<Body>('select id from launches where ad_id = $1', [voided.ad_id])
    await correct(id, { ad_id: null })
    return (await record(...entries)).map(({ recorded }) => recorded)
  }
  const packs = (...entries: Body[]) => launch.packs(...(entries as Parameters<typeof launch.packs>))
  const creatives = (...entries: Body[]) => launch.creatives(...(entries as Parameters<typeof launch.creatives>))

  const kinds = {
    'a pack': { record: packs, subject: ({ id }: Body) => ({ task_id: id }) },
    'a creative': { record: creatives, subject: (_task: Body, { name }: Body) => ({ name }) },
    'a name that waits': { record: creatives, subject: () => ({ name: `Nobody has this ${++serial}` }) },
  }
  test.each(Object.entries(kinds))('%s', async (kind, { record, subject }) => {
    for (const isDatedFirst of [true, false]) {
      const { task, creatives: own } = await pack()
      const undated = { ...subject(task, own[0]), ad_id: freshAdId() }
      const dated = { ...undated, launched_at: day(1) }
      const entries = isDatedFirst ? [dated, undated, undated] : [undated, dated, undated]
      expect(await sent(record, dated, ...entries)).toEqual(isDatedFirst ? [false, true, false] : [true, false, false])
      const live = kind === 'a name that waits' ? null : undated.ad_id
      expect(await creativeOf(own[0])).toMatchObject({ ad_id: live })
    }
  })

  test('but not after one with another date, which is recorded itself', async () => {
    const { task } = await pack()
    const undated = { task_id: task.id, ad_id: freshAdId() }
    const voided = { ...undated, launched_at: day(1) }
    const entries = [voided, { ...undated, launched_at: day(2) }, undated]
    expect(await sent(packs, voided, ...entries)).toEqual([false, true, false])
  })
})

test.each(['a pack', 'a creative', 'a name that waits'])(
  'what was sent without a date and corrected is not brought back by the same again: %s',
  async (kind) => {
    const { task, creatives } = await pack()
    const name = kind === 'a creative' ? creatives[0].name : `Nobody has this ${++serial}`
    const [wrong, right] = [freshAdId(), freshAdId()]
    const record = () =>
      kind === 'a pack' ? launch.packs({ task_id: task.id, ad_id: wrong }) : launch.creatives({ name, ad_id: wrong })
    expect(await record()).toMatchObject([{ recorded: true }])
    const [{ id }] = await service.rows<Body>('select id from launches where ad_id = $1', [wrong])
    await correct(id, { ad_id: right })
    for (const _ of [1, 2]) expect(await record()).toMatchObject([{ recorded: false }])
    if (kind === 'a name that waits') await make.taskWith([name])
    expect(await found(wrong, right)).toEqual([0, 1])
    const [{ id: last }] = await service.rows<Body>('select id from launches where ad_id = $1', [right])
    await correct(last, { ad_id: null })
    expect(await record()).toMatchObject([{ recorded: false }])
    expect(await found(wrong, right)).toEqual([0, 0])
    // Whoever means it gives a date.
    const dated = { ad_id: wrong, launched_at: day(2) }
    const again =
      kind === 'a pack'
        ? await launch.packs({ task_id: task.id, ...dated })
        : await launch.creatives({ name, ...dated })
    expect(again).toMatchObject([{ recorded: true }])
  },
)

test('what is sent again without a date while its creative is deleted, and was corrected, goes when the creative is back', async () => {
  const { task, creatives } = await pack()
  const [wrong, right] = [freshAdId(), freshAdId()]
  const entry = { name: creatives[0].name, ad_id: wrong }
  await launch.creatives(entry)
  const [{ id }] = await history(task)
  await correct(id, { ad_id: right })
  await make.deleted(`/api/v1/tasks/${task.id}`)
  await launch.creatives(entry)
  await make.restored(`/api/v1/tasks/${task.id}`)
  expect(await found(wrong, right)).toEqual([0, 1])
})

test('a launch that waits for its name is corrected while it waits', async () => {
  const name = `Nobody has this ${++serial}`
  const [wrong, right] = [freshAdId(), freshAdId()]
  await launch.creatives({ name, ad_id: wrong, launched_at: day(1) })
  const [{ id }] = await service.rows<Body>('select id from launches where name = $1', [name])
  await correct(id, { ad_id: right })
  const { task } = await make.taskWith([name])
  expect(await found(wrong, right)).toEqual([0, 1])
  expect(await history(task)).toMatchObject([{ ad_id: right }])
  expect(await launch.creatives({ name, ad_id: wrong, launched_at: day(1) })).toMatchObject([{ recorded: false }])
  expect(await found(wrong, right)).toEqual([0, 1])
})

test('a launch of a deleted task is corrected, and right when the task comes back', async () => {
  const { task } = await pack()
  const [wrong, right] = [freshAdId(), freshAdId()]
  await launch.packs({ task_id: task.id, ad_id: wrong })
  const [{ id }] = await history(task)
  await make.deleted(`/api/v1/tasks/${task.id}`)
  await correct(id, { ad_id: right })
  expect(await make.restored(`/api/v1/tasks/${task.id}`)).toMatchObject({ ad_id: right })
})

test('a launch tool that sends the same again while the creative is deleted does not bring the mistake back either', async () => {
  const { task, creatives, entry, wrong, right } = await corrected()
  await make.deleted(`/api/v1/tasks/${task.id}`)
  await launch.creatives(entry)
  await make.restored(`/api/v1/tasks/${task.id}`)
  expect(await found(wrong, right)).toEqual([0, 1])
  expect(await creativeOf(creatives[0])).toMatchObject({ ad_id: right, launched_at: day(1) })
  expect((await history(task)).map(({ ad_id }) => ad_id)).toEqual([right, wrong])
})

describe('refused is', () => {
  test('what is not there, what was corrected, and what changes nothing', async () => {
    const { task } = await pack()
    const adId = freshAdId()
    await launch.packs({ task_id: task.id, ad_id: adId, launched_at: day(1) })
    const [{ id }] = await history(task)
    expect(refusal(await correct(nobody, { ad_id: adId }))).toEqual([404, 'not_found'])
    expect(faults(await correct(id, { ad_id: adId }))).toEqual(['value_error body.ad_id'])
    expect(faults(await correct(id, {}))).toEqual(['missing body.ad_id'])
    await correct(id, { ad_id: freshAdId() })
    expect(refusal(await correct(id, { ad_id: adId }))).toEqual([409, 'launch_corrected'])
  })

  test('a second correction at the same time', async () => {
    const { task } = await pack()
    await launch.packs({ task_id: task.id, ad_id: freshAdId(), launched_at: day(1) })
    const [{ id }] = await history(task)
    const answers = await Promise.all(Array.from({ length: 6 }, () => correct(id, { ad_id: freshAdId() })))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409, 409, 409])
    expect((await history(task)).filter(({ voided }) => voided === null)).toHaveLength(1)
  })
})

test('voided launches come back with their task, and go with it for good', async () => {
  const { task } = await pack()
  await launch.packs({ task_id: task.id, ad_id: freshAdId(), launched_at: day(1) })
  const [{ id }] = await history(task)
  await correct(id, { ad_id: null })
  await service.del(`/api/v1/tasks/${task.id}`)
  await service.post(`/api/v1/tasks/${task.id}/restore`)
  expect(await history(task)).toMatchObject([{ id }])
  await service.rows('delete from tasks where id = $1', [task.id])
  expect(await service.rows('select 1 from voided_launches where id = $1', [id])).toEqual([])
})

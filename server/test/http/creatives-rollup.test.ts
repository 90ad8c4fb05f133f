// Facts about the rollup: a creative has the attributes of its task, except those that its variant overrides.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Body, type Service, startService } from '../support/harness.ts'
import { allowed, makers } from '../support/make.ts'

let service: Service
let make: ReturnType<typeof makers>
let angles: { task: Record<string, unknown>; variant: Record<string, unknown> }
let plain: Record<string, unknown>
beforeAll(async () => {
  service = await startService()
  make = makers(service)
  const angle = (at: number) => ({
    primary_anchor: allowed(service, 'PrimaryAnchor', at),
    audience: `Audience ${at}`,
    awareness_stage: allowed(service, 'AwarenessStage', at),
    messaging_angle: allowed(service, 'MessagingAngle', at),
    hook_trigger: allowed(service, 'HookTrigger', at),
    hook_type: allowed(service, 'HookType', at),
    ad_format: allowed(service, 'AdFormat', at),
  })
  angles = { task: angle(0), variant: angle(1) }
  plain = {
    geo: allowed(service, 'Geo'),
    subject: 'Night repair',
    topic: 'Sleep',
    subtopics: ['naps', 'a, b'],
    traffic_flow: allowed(service, 'TrafficFlow'),
    landing: { url: 'https://example.com' },
    funnel: [1, null],
    cpp: 'page-7',
  }
})
afterAll(() => service.close())

const read = ({ id }: Body): Promise<Body> => make.read(`/api/v1/creatives/${id}`)
const variant = (members: Record<string, unknown> = {}) => ({ key: 'a', variation_num: 1, ...members })

test('a new creative carries what its task says', async () => {
  const language = allowed(service, 'Language', 2)
  const task = await make.task({ ...plain, ...angles.task, language })
  expect(await make.creative(task.id)).toMatchObject({ ...plain, ...angles.task, locale: language, tags: [] })
})

test('its variant overrides what it says itself, and leaves the rest to the task', async () => {
  const task = await make.task({ ...plain, ...angles.task, variants: [variant(angles.variant)] })
  expect(await make.creative(task.id, { variation_num: 1 })).toMatchObject({ ...plain, ...angles.variant })
  const [first = '', ...others] = Object.keys(angles.variant)
  const partly = await make.task({ ...angles.task, variants: [variant({ [first]: angles.variant[first] })] })
  const creative = await make.creative(partly.id, { variation_num: 1 })
  expect(creative[first]).toBe(angles.variant[first])
  for (const member of others) expect(creative[member], member).toBe(angles.task[member])
})

test('a creative of no variant, or of one there is not, is the task', async () => {
  const task = await make.task({ ...angles.task, variants: [variant(angles.variant)] })
  expect(await make.creative(task.id, { variation_num: null })).toMatchObject(angles.task)
  expect(await make.creative(task.id, { variation_num: 9 })).toMatchObject(angles.task)
})

test("tags are the variant's tag_slugs, unless the creative has its own", async () => {
  const task = await make.task({ variants: [variant({ tag_slugs: ['hook-a', 'ugc'] })] })
  const creative = await make.creative(task.id, { variation_num: 1 })
  expect(creative.tags).toEqual(['hook-a', 'ugc'])
  const own = await make.creative(task.id, { variation_num: 1, tags: ['mine'] })
  expect(own.tags).toEqual(['mine'])
  const tags = async (patch: unknown) => (await service.patch(`/api/v1/creatives/${own.id}`, patch)).data.tags
  expect(await tags({ tags: [] })).toEqual([])
  expect(await tags({ tags: null })).toEqual(['hook-a', 'ugc'])
  expect(await tags({ variation_num: null })).toEqual([])
})

test('every attribute of the task reaches its creatives in the transaction that changes it', async () => {
  const task = await make.task()
  const creative = await make.creative(task.id)
  for (const [member, value] of Object.entries({ ...plain, ...angles.task })) {
    await make.patched(task.id, { [member]: value })
    expect((await read(creative))[member], member).toEqual(value)
    await make.patched(task.id, { [member]: Array.isArray(value) && member === 'subtopics' ? [] : null })
    expect((await read(creative))[member], member).toEqual(creative[member])
  }
  const language = allowed(service, 'Language', 3)
  await make.patched(task.id, { language })
  expect((await read(creative)).locale).toBe(language)
})

test('every attribute of the variant reaches the creatives of that variant, and no others', async () => {
  const task = await make.task({ ...angles.task, variants: [variant(), variant({ key: 'b', variation_num: 2 })] })
  const [mine, theirs] = [
    await make.creative(task.id, { variation_num: 1 }),
    await make.creative(task.id, { variation_num: 2 }),
  ]
  for (const [member, value] of Object.entries(angles.variant)) {
    await make.patched(task.id, { variants: [variant({ [member]: value }), variant({ key: 'b', variation_num: 2 })] })
    expect((await read(mine))[member], member).toBe(value)
    expect((await read(theirs))[member], member).toBe(angles.task[member])
  }
  await make.patched(task.id, { variants: [variant({ tag_slugs: ['new'] })] })
  expect((await read(mine)).tags).toEqual(['new'])
  await make.patched(task.id, { variants: [] })
  expect(await read(mine)).toMatchObject({ ...angles.task, tags: [] })
})

test('a creative moved to a variant carries what that one says', async () => {
  const task = await make.task({ ...angles.task, variants: [variant(angles.variant)] })
  const creative = await make.creative(task.id)
  const moved = await service.patch(`/api/v1/creatives/${creative.id}`, { variation_num: 1 })
  expect(moved.data).toMatchObject(angles.variant)
})

test('creatives of other tasks keep theirs', async () => {
  const [task, other] = [await make.task({ subject: 'A' }), await make.task({ subject: 'B' })]
  const creative = await make.creative(other.id)
  await make.patched(task.id, { subject: 'C' })
  expect(await read(creative)).toEqual(creative)
})

test('the rollup writes only the creatives where a member changed', async () => {
  const task = await make.task({ variants: [variant(), variant({ key: 'b', variation_num: 2 })] })
  const ids = []
  for (const variation_num of [1, 2]) ids.push((await make.creative(task.id, { variation_num })).id)
  const versions = async () => {
    const rows = await service.rows(
      'select id, xmin::text as written, rolled_up_at from creatives where task_id = $1',
      [task.id],
    )
    return new Map(rows.map(({ id, written, rolled_up_at }) => [id, `${written} ${rolled_up_at}`]))
  }
  const before = await versions()
  await make.patched(task.id, { variants: [variant({ audience: 'Nurses' }), variant({ key: 'b', variation_num: 2 })] })
  const after = await versions()
  expect(after.get(ids[0])).not.toBe(before.get(ids[0]))
  expect(after.get(ids[1])).toBe(before.get(ids[1]))
  await make.patched(task.id, { notes: 'reaches no creative', count: 3, priority: 1 })
  expect(await versions()).toEqual(after)
})

test('the rollup changes neither ETag nor updated_at of a creative', async () => {
  const task = await make.task()
  const creative = await make.creative(task.id)
  await make.patched(task.id, { subject: 'Hands' })
  const { data, headers } = await service.get(`/api/v1/creatives/${creative.id}`)
  expect(data).toEqual({ ...creative, subject: 'Hands' })
  expect(headers.etag).toBe('"1"')
})

test('a creative from before the rollup keeps its attributes as a whole', async () => {
  const task = await make.task({ ...plain, ...angles.task, variants: [variant()] })
  const creative = await make.creative(task.id, { variation_num: 1 })
  await service.rows(
    `update creatives set rolled_up_at = null, subject = 'As imported', tags = '{old}' where id = $1`,
    [creative.id],
  )
  await make.patched(task.id, { subject: 'Hands', topic: null, variants: [variant({ tag_slugs: ['new'] })] })
  const imported = { ...creative, subject: 'As imported', tags: ['old'] }
  expect(await read(creative)).toEqual(imported)
  const [row] = await service.rows('select rolled_up_at from creatives where id = $1', [creative.id])
  expect(row.rolled_up_at).toBeNull()
})

test('whether it is done holds for a creative from before the rollup as for any other', async () => {
  const task = await make.task({ variants: [variant()] })
  const creative = await make.creative(task.id, { variation_num: 1 })
  await service.rows('update creatives set rolled_up_at = null where id = $1', [creative.id])
  const path = `/api/v1/creatives/${creative.id}`
  expect((await service.patch(path, { completed: true })).data.done).toBe(true)
  expect((await service.patch(path, { completed: false })).data.done).toBe(false)
  await make.patched(task.id, { variants: [variant({ completed: true })] })
  expect((await read(creative)).done).toBe(true)
})

test('a creative that comes back says what its task says now', async () => {
  const task = await make.task({ subject: 'Before' })
  const creative = await make.creative(task.id)
  await make.deleted(`/api/v1/creatives/${creative.id}`)
  await make.patched(task.id, { subject: 'After' })
  expect((await make.restored(`/api/v1/creatives/${creative.id}`)).subject).toBe('After')
})

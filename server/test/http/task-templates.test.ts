// Facts about task templates: what they store, what tasks made from them contain, and how templates are named.
import { TaskBrief } from '@atelier/contract/tasks.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Body, type Service, startService } from '../support/harness.ts'
import { faults, makers, nobody, refusal, utc } from '../support/make.ts'
import { fence, watchEvents } from '../support/watch.ts'

const path = '/api/v1/task-templates'
let service: Service
let make: ReturnType<typeof makers>
beforeAll(async () => {
  service = await startService()
  make = makers(service)
})
afterAll(() => service.close())

const add = (name: string, brief: unknown = {}) => service.post(path, { name, brief })
const added = async (name: string, brief: unknown = {}): Promise<Body> => {
  const { status, data, text } = await add(name, brief)
  expect(status, text).toBe(200)
  return data
}

/** A brief in which every member differs from its default, and the task that it was taken from. */
async function wholeBrief() {
  const { task } = await make.whole()
  const brief = Object.fromEntries(Object.keys(TaskBrief.properties).map((name) => [name, task[name]]))
  return { task, brief }
}

test('a change of a template is an event of its own name, which pages of 0.2.0 ignore', async () => {
  const base = await service.app.server.listen({ host: '127.0.0.1', port: 0 })
  const watching = await watchEvents(base, service.owner.token)
  const { id } = await added('Watched')
  await expect.poll(() => watching.seen).toContain(`template/${id}`)
  await fence(service, [watching])
  watching.close()
  const named = (event: string) => [...watching.text().matchAll(new RegExp(`event: ${event}\\ndata: (.*)`, 'g'))].join()
  expect([named('template_changed'), named('changed')].map((sent) => sent.includes(id))).toEqual([true, false])
})

test('a template keeps every member of a brief as it was sent', async () => {
  const { brief } = await wholeBrief()
  const template = await added('Everything', brief)
  expect(template).toEqual({
    id: expect.any(String),
    name: 'Everything',
    by: { user_id: service.owner.id, token_id: null, name: expect.any(String) },
    brief,
    created_at: expect.stringMatching(utc),
    updated_at: template.created_at,
  })
  expect(await make.read(`${path}/${template.id}`)).toEqual(template)
})

test('a task made from a template has the brief of the task that the template was made of', async () => {
  const { task, brief } = await wholeBrief()
  const template = await make.read(`${path}/${(await added('Again', brief)).id}`)
  const made = await make.task({ name: 'Made from it', ...template.brief })
  for (const member of Object.keys(TaskBrief.properties)) expect(made[member], member).toEqual(task[member])
})

test('what is no part of a brief is refused', async () => {
  for (const member of ['name', 'status', 'deadline_at', 'launched_at', 'origin_creative_id', 'drive_url'])
    expect(faults(await add('Too much', { [member]: null }))).toEqual([`extra_forbidden body.brief.${member}`])
})

test('a brief is checked as a task is: references have to be there, variants have to differ', async () => {
  expect(faults(await add('Nobody', { assignee_id: nobody }))).toEqual(['value_error body.brief.assignee_id'])
  const variants = [1, 2].map((variation_num) => ({ key: 'same', variation_num }))
  expect(faults(await add('Twins', { variants }))).toEqual(['value_error body.brief.variants.1.key'])
  expect(faults(await add('', {}))).toEqual(['string_too_short body.name'])
})

test('names are unique, also where two are made or renamed at once', async () => {
  const answers = await Promise.all([add('Once'), add('Once')])
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
  expect(refusal(await add('Once'))).toEqual([409, 'template_exists'])
  const [first, second] = [await added('Left'), await added('Right')]
  expect(refusal(await service.patch(`${path}/${second.id}`, { name: 'Left' }))).toEqual([409, 'template_exists'])
  const renamed = await Promise.all([first, second].map(({ id }) => service.patch(`${path}/${id}`, { name: 'Middle' })))
  expect(renamed.map(({ status }) => status).toSorted()).toEqual([200, 409])
})

test('a template is renamed with its brief as it is, and its brief replaced as a whole', async () => {
  const { id } = await added('Weekly', { priority: 2, notes: 'Short.' })
  const renamed = await service.patch(`${path}/${id}`, { name: 'Monthly' })
  expect(renamed.data).toMatchObject({ name: 'Monthly', brief: { priority: 2, notes: 'Short.' } })
  const changed = await service.patch(`${path}/${id}`, { brief: { priority: 3 } })
  expect(changed.data).toMatchObject({ name: 'Monthly', brief: { priority: 3 } })
  expect(changed.data.brief).not.toHaveProperty('notes')
  expect((await service.patch(`${path}/${id}`, { name: 'Monthly' })).data.name).toBe('Monthly')
})

test('a deleted template is told once more, so that it can be made again', async () => {
  const template = await added('Gone', { priority: 1 })
  expect(await make.deleted(`${path}/${template.id}`)).toEqual(template)
  expect(refusal(await service.get(`${path}/${template.id}`))).toEqual([404, 'not_found'])
  expect(await added(template.name, template.brief)).toMatchObject({ name: 'Gone', brief: { priority: 1 } })
})

test('templates are listed by name, page by page, without their briefs', async () => {
  const names: string[] = []
  let query = ''
  do {
    const { items, meta } = await make.read(`${path}?limit=3${query}`)
    for (const item of items) expect(item).not.toHaveProperty('brief')
    names.push(...items.map(({ name }: Body) => name))
    query = meta.next_cursor === null ? '' : `&cursor=${meta.next_cursor}`
  } while (query !== '')
  expect(names.length).toBeGreaterThan(5)
  expect(names).toEqual(names.toSorted())
})

test('a template that is not there is not found', async () => {
  for (const id of [nobody, 'x'])
    for (const asked of [
      service.get(`${path}/${id}`),
      service.patch(`${path}/${id}`, { name: 'x' }),
      service.del(`${path}/${id}`),
    ])
      expect(refusal(await asked)).toEqual([404, 'not_found'])
})

test('readers list templates and change none', async () => {
  const { id } = await added('For all')
  const { token } = await service.person('reader')
  expect((await service.get(`${path}/${id}`, { token })).status).toBe(200)
  expect(refusal(await service.post(path, { name: 'x', brief: {} }, { token }))).toEqual([403, 'insufficient_scope'])
  expect(refusal(await service.del(`${path}/${id}`, { token }))).toEqual([403, 'insufficient_scope'])
})

// Facts about the names of a task: the generated name, the planned creative names, and which of the planned ones are done.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Body, type Service, startService } from '../support/harness.ts'
import { allowed, makers } from '../support/make.ts'

let service: Service
let make: ReturnType<typeof makers>
let file: string
beforeAll(async () => {
  service = await startService()
  make = makers(service)
  file = await make.file()
})
afterAll(() => service.close())

const finish = (creative: Body) => service.patch(`/api/v1/creatives/${creative.id}`, { file })

test('the generated name is built from the members of the task, by the template', async () => {
  const product = await make.product('Glow Serum')
  const task = await make.task({
    product_id: product.id,
    subject: 'Night, repair!',
    language: allowed(service, 'Language'),
  })
  const language = allowed(service, 'Language')
  expect(task.generated_name).toBe(`T${task.number}_Glow-Serum_${language}_Night-repair`)
})

test('the generated name follows every change of what it is made of', async () => {
  const task = await make.task()
  const bare = `T${task.number}`
  expect(task.generated_name).toBe(bare)
  const product = await make.product('Moon Cream')
  expect((await make.patched(task.id, { product_id: product.id })).generated_name).toBe(`${bare}_Moon-Cream`)
  expect((await make.patched(task.id, { subject: 'Hands' })).generated_name).toBe(`${bare}_Moon-Cream_Hands`)
  expect((await make.patched(task.id, { product_id: null })).generated_name).toBe(`${bare}_Hands`)
  expect((await make.patched(task.id, { notes: 'x' })).generated_name).toBe(`${bare}_Hands`)
})

test('a deployment may set another template', async () => {
  const other = await startService({ ATELIER_NAME_TEMPLATE: '{name}_{number}_{variant}_{index}' })
  try {
    const task = await makers(other).task({ name: 'Glow serum', count: 1 })
    expect(task.generated_name).toBe(`Glow-serum_${task.number}`)
    expect(task.planned_creative_names).toEqual([`Glow-serum_${task.number}_01`])
  } finally {
    await other.close()
  }
})

test('count names are planned for each variant, or for the task without variants', async () => {
  const task = await make.task({ count: 2 })
  const bare = `T${task.number}`
  expect(task.planned_creative_names).toEqual([`${bare}_01`, `${bare}_02`])
  const variants = [
    { key: 'a', variation_num: 1 },
    { key: 'c', variation_num: 3 },
  ]
  const varied = await make.patched(task.id, { variants })
  expect(varied.planned_creative_names).toEqual(['V1_01', 'V1_02', 'V3_01', 'V3_02'].map((end) => `${bare}_${end}`))
  expect((await make.patched(task.id, { count: null })).planned_creative_names).toHaveLength(2)
  expect((await make.patched(task.id, { variants: [] })).planned_creative_names).toEqual([])
  expect((await make.patched(task.id, { count: 0 })).planned_creative_names).toEqual([])
})

test('creatives without a name take the planned ones, in order', async () => {
  const task = await make.task({ count: 2, variants: [{ key: 'b', variation_num: 2 }] })
  const [first, second, beyond] = [1, 2, 3].map(() => ({ variation_num: 2 }))
  const names: string[] = []
  for (const members of [first, second, beyond]) names.push((await make.creative(task.id, members)).name)
  expect(names.slice(0, 2)).toEqual(task.planned_creative_names)
  expect(names[2]).toBe(`T${task.number}_V2_03`)
  expect((await make.creative(task.id)).name).toBe(`T${task.number}_01`)
})

test('a planned name is done once a finished live creative has it', async () => {
  const task = await make.task({ count: 3 })
  const done = async () => (await make.read(`/api/v1/tasks/${task.id}`)).planned_creatives_done
  const creatives: Body[] = []
  for (let made = 0; made < 3; made++) creatives.push(await make.creative(task.id))
  expect(await done()).toEqual([])
  await finish(creatives[2])
  await finish(creatives[0])
  expect(await done()).toEqual([creatives[0].name, creatives[2].name])
  await service.patch(`/api/v1/creatives/${creatives[1].id}`, { completed: true })
  expect(await done()).toEqual(task.planned_creative_names)
  await make.deleted(`/api/v1/creatives/${creatives[0].id}`)
  expect(await done()).toEqual([creatives[1].name, creatives[2].name])
  await make.restored(`/api/v1/creatives/${creatives[0].id}`)
  await service.patch(`/api/v1/creatives/${creatives[1].id}`, { completed: false })
  expect(await done()).toEqual([creatives[0].name, creatives[2].name])
})

test('a finished creative of another name does nothing for the plan', async () => {
  const task = await make.task({ count: 1 })
  await finish(await make.creative(task.id, { name: `Special cut ${task.number}` }))
  expect((await make.read(`/api/v1/tasks/${task.id}`)).planned_creatives_done).toEqual([])
})

test('a rename takes a creative out of the plan, or into it', async () => {
  const task = await make.task({ count: 1 })
  const [planned] = task.planned_creative_names
  const creative = await make.creative(task.id, { name: `Rough cut ${task.number}`, file })
  const done = async () => (await make.read(`/api/v1/tasks/${task.id}`)).planned_creatives_done
  await service.patch(`/api/v1/creatives/${creative.id}`, { name: planned })
  expect(await done()).toEqual([planned])
  await service.patch(`/api/v1/creatives/${creative.id}`, { name: `Rough cut ${task.number}` })
  expect(await done()).toEqual([])
})

test('a change of the plan changes at once what of it is done', async () => {
  const task = await make.task({ count: 1 })
  await finish(await make.creative(task.id))
  const renamed = await make.patched(task.id, { subject: 'Hands' })
  expect(renamed).toMatchObject({ planned_creative_names: [`T${task.number}_Hands_01`], planned_creatives_done: [] })
  const back = await make.patched(task.id, { subject: null })
  expect(back.planned_creatives_done).toEqual([`T${task.number}_01`])
})

test('creatives of a completed variant are finished', async () => {
  const variant = { key: 'a', variation_num: 1 }
  const task = await make.task({ count: 1, variants: [variant] })
  const creative = await make.creative(task.id, { variation_num: 1 })
  const completed = await make.patched(task.id, { variants: [{ ...variant, completed: true }] })
  expect(completed.planned_creatives_done).toEqual([creative.name])
  const reopened = await make.patched(task.id, { variants: [variant] })
  expect(reopened.planned_creatives_done).toEqual([])
})

test('while a task is deleted nothing of its plan is done; restored, all is as before', async () => {
  const task = await make.task({ count: 1 })
  const creative = await make.creative(task.id, { file })
  const deleted = await make.deleted(`/api/v1/tasks/${task.id}`)
  expect(deleted).toMatchObject({ planned_creative_names: [creative.name], planned_creatives_done: [] })
  expect((await make.restored(`/api/v1/tasks/${task.id}`)).planned_creatives_done).toEqual([creative.name])
})

test('renaming a product changes no name', async () => {
  const product = await make.product('Sun Oil')
  const task = await make.task({ product_id: product.id })
  await service.patch(`/api/v1/products/${product.id}`, { name: 'Sun Balm' })
  expect((await make.patched(task.id, { subject: 'Beach' })).generated_name).toBe(`T${task.number}_Sun-Oil_Beach`)
})

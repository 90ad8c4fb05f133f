// Facts about products: their names and codes, and how they are listed and renamed.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Body, type Service, startService } from '../support/harness.ts'
import { faults, makers, nobody, refusal, utc } from '../support/make.ts'

let service: Service
let make: ReturnType<typeof makers>
beforeAll(async () => {
  service = await startService()
  make = makers(service)
})
afterAll(() => service.close())

const add = (members: unknown) => service.post('/api/v1/products', members)
const rename = (id: string, members: unknown) => service.patch(`/api/v1/products/${id}`, members)

test('a product has a name, and a code made of it', async () => {
  const product = await make.product('Glow Serum 30 ml')
  expect(product).toEqual({
    id: expect.any(String),
    name: 'Glow Serum 30 ml',
    code: 'Glow-Serum-30-ml',
    created_at: expect.stringMatching(utc),
  })
})

test('a code may be given instead', async () => {
  expect((await add({ name: 'Moon Cream', code: 'MOON' })).data).toMatchObject({ name: 'Moon Cream', code: 'MOON' })
})

test('a name no code can be made of needs one beside it', async () => {
  expect(faults(await add({ name: '!!!' }))).toEqual(['value_error body.code'])
  expect((await add({ name: '!!!', code: 'BANG' })).status).toBe(200)
})

test('names and codes are unique', async () => {
  await add({ name: 'Sun Oil', code: 'SUN' })
  for (const members of [
    { name: 'Sun Oil', code: 'OTHER' },
    { name: 'Another', code: 'SUN' },
  ]) {
    expect(refusal(await add(members))).toEqual([409, 'product_exists'])
  }
})

test('one of two who add the same product at once is told that it exists', async () => {
  const answers = await Promise.all([add({ name: 'Twice' }), add({ name: 'Twice' })])
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
})

test('a renamed product keeps its code', async () => {
  const product = await make.product('Lip Balm')
  expect((await rename(product.id, { name: 'Lip Butter' })).data).toEqual({ ...product, name: 'Lip Butter' })
  expect((await rename(product.id, { name: 'Lip Butter' })).data.name).toBe('Lip Butter')
  expect((await rename(product.id, {})).data.name).toBe('Lip Butter')
})

test('a code, once given, cannot be changed', async () => {
  const product = await make.product('Body Wash')
  expect(faults(await rename(product.id, { code: 'X' }))).toEqual(['extra_forbidden body.code'])
})

test('a product cannot take the name of another', async () => {
  const [first, second] = [await make.product('First'), await make.product('Second')]
  expect(refusal(await rename(second.id, { name: first.name }))).toEqual([409, 'product_exists'])
})

test('two renames to one name at once give it to one', async () => {
  const [first, second] = [await make.product('Third'), await make.product('Fourth')]
  const answers = await Promise.all([first, second].map(({ id }) => rename(id, { name: 'Contested' })))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
})

test('products are listed by name, page by page', async () => {
  const names: string[] = []
  let query = ''
  do {
    const { items, meta } = await make.read(`/api/v1/products?limit=3${query}`)
    names.push(...items.map(({ name }: Body) => name))
    query = meta.next_cursor === null ? '' : `&cursor=${meta.next_cursor}`
  } while (query !== '')
  expect(names.length).toBeGreaterThan(5)
  expect(names).toEqual(names.toSorted())
})

test('a product that is not there is not found', async () => {
  for (const id of [nobody, 'x']) expect(refusal(await rename(id, { name: 'x' }))).toEqual([404, 'not_found'])
})

test('readers list products and add none', async () => {
  const { token } = await service.person('reader')
  expect((await service.get('/api/v1/products', { token })).status).toBe(200)
  expect(refusal(await service.post('/api/v1/products', { name: 'x' }, { token }))).toEqual([403, 'insufficient_scope'])
})

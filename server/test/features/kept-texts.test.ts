// Facts about the JSON texts of cards and creatives that the database stores: they match their rows, whatever wrote the rows,
// and a response is the same whether the text is stored or not.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makingFunction } from '../../src/features/tasks/launches/lookup-text.ts'
import { triggersOf } from '../../src/platform/kept-texts.ts'
import { readMigrations, statementsOf } from '../../src/platform/migration-files.ts'
import { findFaults, keptTexts, keptTextsFiller, repairAll } from '../../src/wiring/kept-texts.ts'
import { type Body, type Service, startService } from '../support/harness.ts'
import { doors, freshAdId } from '../support/launch.ts'
import { everyPlainMember, makers } from '../support/make.ts'

let service: Service
let task: Body
let creative: Body
const adId = freshAdId()
beforeAll(async () => {
  service = await startService()
  const make = makers(service)
  const owner = await service.person('writer')
  task = await make.task({
    ...everyPlainMember(service),
    task_owner_id: owner.id,
    landing: { price: 1, 'a “b”': ['\\', '\n'] },
  })
  creative = await make.creative(task.id, {})
  await make.creative(task.id, { assignee_id: owner.id })
  await doors(service).packs({ task_id: task.id, ad_id: adId })
})
afterAll(() => service.close())

const board = async (): Promise<string> => (await service.get('/api/v1/tasks/board')).text
const lookUp = async (): Promise<string> => {
  const { status, text } = await doors(service).postLookup({ names: [creative.name], ad_ids: [adId, adId] })
  expect(status, text).toBe(200)
  return text
}
const answers = async (): Promise<string[]> => [await board(), await lookUp()]

async function forget(): Promise<void> {
  await service.rows('delete from task_cards')
  await service.rows('update creatives set lookup_text = null')
}

test('the triggers and functions of the migrations are those of the definitions', () => {
  const statements = readMigrations()
    .flatMap(({ text }) => statementsOf(text))
    .map((text) => text.replace(/^(?:--[^\n]*\n|\s)*/, ''))
  for (const statement of [...keptTexts.flatMap(triggersOf), makingFunction]) expect(statements).toContain(statement)
})

test('answers are the same, to the byte, before the texts are filled in and after', async () => {
  const before = await answers()
  await forget()
  expect(await answers()).toEqual(before)
  expect((await findFaults(service.database, { missingToo: true })).map(({ what }) => what)).toContain('missing')
  await keptTextsFiller(service.database)()
  expect(await findFaults(service.database, { missingToo: true })).toEqual([])
  expect(await answers()).toEqual(before)
})

test('a row that changes before it has a text gets it then', async () => {
  await forget()
  await service.rows(`update tasks set comment_count = 3 where id = $1`, [task.id])
  await service.rows(`update creatives set name = name || ' 2' where id = $1`, [creative.id])
  const [cards] = await service.rows('select count(*)::integer as n from task_cards')
  const [texts] = await service.rows('select count(lookup_text)::integer as n from creatives')
  expect([cards?.n, texts?.n]).toEqual([1, 1])
  await service.rows(`update tasks set comment_count = 0 where id = $1`, [task.id])
  await service.rows(`update creatives set name = $2 where id = $1`, [creative.id, creative.name])
  await keptTextsFiller(service.database)()
})

test('a number that is equal but written otherwise changes the text', async () => {
  const write = (price: string) =>
    service.rows(`update creatives set landing = $2::jsonb where id = $1`, [creative.id, `{"price": ${price}}`])
  await write('1')
  expect(await lookUp()).toContain('{"price": 1}')
  await write('1.00')
  expect(await lookUp()).toContain('{"price": 1.00}')
})

test('texts that somebody has spoilt are found, and made anew', async () => {
  const before = await answers()
  const gone = '01900000-0000-7000-8000-000000000000'
  await service.rows(`update task_cards set named = ',,' where task_id = $1`, [task.id])
  await service.rows(`insert into task_cards (task_id, text, named) values ($1, '{}', ',,')`, [gone])
  await service.rows(`update creatives set lookup_text = '{' where id = $1`, [creative.id])
  const found = (await findFaults(service.database)).map(({ kept, id, what }) => [kept.of, id, what])
  expect(found).toEqual([
    ['tasks', gone, 'of no row'],
    ['tasks', task.id, 'differs'],
    ['creatives', creative.id, 'differs'],
  ])
  expect(await repairAll(service.database)).toBe(3)
  expect(await findFaults(service.database, { missingToo: true })).toEqual([])
  expect(await answers()).toEqual(before)
})

test('a name that changes is shown by every process in its next answer', async () => {
  const other = await service.another()
  const nameOf = async (process: Service) => {
    const { data } = await process.get('/api/v1/tasks/board')
    const [row] = await doors(process).lookup({ names: [creative.name] })
    return [data.included.users[task.task_owner_id].name, row?.creatives[0].task_owner.name]
  }
  const rename = (process: Service, name: string) => process.patch(`/api/v1/users/${task.task_owner_id}`, { name })
  for (const name of ['Ada Lovelace', 'Grace Hopper', 'Ada Lovelace']) {
    await rename(service, name)
    expect(await nameOf(other)).toEqual([name, name])
    expect(await nameOf(service)).toEqual([name, name])
  }
  await other.close()
})

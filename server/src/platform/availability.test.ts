// Facts about what a process takes from failed statements: whether the database is away or only takes no writes, and what is logged.
import type { Refusal } from '@atelier/contract/wire/errors.ts'
import { beforeEach, expect, test } from 'vitest'
import { unavailable, watchAvailability } from './availability.ts'
import { createLog } from './log.ts'

let lines: { msg: string; why?: string; err?: unknown }[]
let now: number
let ping: () => Promise<void>
let availability: ReturnType<typeof watchAvailability>
beforeEach(() => {
  lines = []
  now = 0
  ping = () => new Promise(() => undefined) // no answer, so that a database that is away stays away
  const log = createLog('info', { write: (line) => void lines.push(JSON.parse(line)) })
  availability = watchAvailability(() => ping(), log, { now: () => now })
})

const failed = (code: string, message = 'made up') => Object.assign(new Error(message), { code })
const full = failed('53100', 'could not extend file')
const said = () => lines.map(({ msg }) => msg)
const isServing = (): boolean => {
  try {
    availability.require()
    return true
  } catch {
    return false
  }
}

test.each(['08006', '57P01', '57P03', '53300', 'ECONNREFUSED'])('after %s nothing is served', (code) => {
  availability.report(failed(code))
  expect(isServing()).toBe(false)
  expect(said()).toEqual(['the database is away; answering 503 until it is back'])
})

test.each(['53100', '25006', '53200', '58030'])('after %s everything else is served', (code) => {
  availability.report(failed(code))
  expect(isServing()).toBe(true)
  expect(lines).toHaveLength(1)
})

test('that no writes are taken is logged once, with its reason and without a stack', () => {
  for (let turn = 0; turn < 3; turn++) availability.report(full)
  availability.report(failed('25006'))
  expect(lines).toMatchObject([
    { msg: 'the database takes no writes; answering them 503', why: 'could not extend file' },
  ])
  expect(lines[0]).not.toHaveProperty('err')
})

test('that writes are taken again is logged once a write has worked, and not between refused ones', () => {
  availability.wrote()
  availability.report(full)
  availability.wrote()
  now += 9_999
  availability.report(full)
  now += 9_999
  availability.wrote()
  expect(lines).toHaveLength(1)
  now += 1
  availability.wrote()
  availability.wrote()
  expect(said().slice(1)).toEqual(['the database takes writes again'])
  availability.report(full)
  expect(lines).toHaveLength(3)
})

test('a full disk, a database that only reads and one that is away are told apart', () => {
  const words = (error?: unknown): string => (unavailable(error) satisfies Refusal).message
  expect(words(full)).toMatch(/^The disk of the database is full: .*Reading goes on\.$/)
  expect(words(failed('25006'))).toMatch(/^The database only reads just now: .*Reading goes on\.$/)
  expect(words(failed('08006'))).toBe(words())
  // People read it too, who send no headers; what integrators do is in docs/errors.md.
  expect(words()).toBe('The database cannot be reached just now. Try again shortly.')
})

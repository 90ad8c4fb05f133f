// Facts about databases that the service cannot use: each is refused with a message that contains the reason.
import { expect, test } from 'vitest'
import { problemOf, schemaProblem, warningOf } from './postgres-fit.ts'

const good = {
  ...{ version: 15, standby: false, read_only: false, encoding: 'UTF8', name: 'atelier', role: 'serving' },
  ...{ role_limit: -1, database_limit: -1, server_limit: 97, fresh: true },
}

test('a database as it should be is taken', () => {
  expect(problemOf(good, 22)).toBeNull()
  expect(problemOf({ ...good, role_limit: 22, database_limit: 22, server_limit: 22 }, 22)).toBeNull()
})

test.each([
  [{ version: 14 }, 'PostgreSQL 15 or newer is needed'],
  [{ standby: true }, 'Point DATABASE_URL at the primary'],
  [{ read_only: true }, 'alter role serving set default_transaction_read_only = off'],
  [{ encoding: 'LATIN1' }, 'createdb -E UTF8 -T template0'],
  [{ role_limit: 21 }, '21 is all that the role serving may open'],
  [{ database_limit: 3 }, '3 is all that the database atelier takes'],
  [{ server_limit: 0 }, '0 is all that the server takes'],
])('%j is refused: %s', (wrong, words) => {
  expect(problemOf({ ...good, ...wrong }, 22)).toContain(words)
})

test('a refusal names what the operator gave the address by', () => {
  const told = [{ standby: true }, { version: 14 }].map((wrong) => problemOf({ ...good, ...wrong }, null, '--to'))
  const noRight = Object.assign(new Error('no'), { code: '42501' })
  for (const words of [...told, schemaProblem(noRight, '--to')]) {
    expect(words).toContain('--to')
    expect(words).not.toContain('DATABASE_URL')
  }
})

test('one in another encoding that has our tables already goes on, with a warning', () => {
  const found = { ...good, encoding: 'SQL_ASCII', fresh: false }
  expect(problemOf(found, 22)).toBeNull()
  expect(warningOf(found)).toMatch(
    /^the database atelier keeps texts in SQL_ASCII, .* \(createdb -E UTF8 -T template0\)/,
  )
  expect(warningOf(good)).toBeNull()
})

test('a command that ends soon needs no room for the connections of one that stays', () => {
  expect(problemOf({ ...good, role_limit: 2 }, null)).toBeNull()
})

test('other errors than those about rights and schemas are left as they are', () => {
  expect(schemaProblem(Object.assign(new Error('no'), { code: '42501' }))).toContain('npm run migrate')
  expect(schemaProblem(Object.assign(new Error('no'), { code: '3F000' }))).toContain('search_path')
  expect(schemaProblem(new Error('no'))).toBeNull()
})

// Facts about the address of a PostgreSQL database that pg_dump and pg_restore get, made from the one of the service.
import { expect, test } from 'vitest'
import { libpqAddress } from './libpq-address.ts'

const host = 'postgres://atelier@db.example:5433/atelier'

test.each([
  ['', ''],
  ['?sslmode=verify-full&sslrootcert=%2Fetc%2Fown%20ca.pem', '?sslrootcert=%2Fetc%2Fown%20ca.pem&sslmode=verify-full'],
  ['?uselibpqcompat=true&sslmode=require', '?sslmode=require'],
  ['?sslmode=no-verify', '?sslmode=require'],
  ['?sslmode=no-verify&sslrootcert=/ca.pem', '?sslmode=require'],
  ['?sslmode=allow&sslmode=disable', '?sslmode=disable'],
  ['?ssl=true', '?sslmode=require'],
  ['?ssl=1', '?sslmode=require'],
  ['?ssl=no-verify', '?sslmode=require'],
  ['?ssl=0', '?sslmode=disable'],
  ['?ssl=false', '?sslmode=disable'],
  ['?ssl=true&sslmode=disable', '?sslmode=disable'],
  ['?sslcert=/c.pem&sslkey=/k.pem', '?sslcert=%2Fc.pem&sslkey=%2Fk.pem&sslmode=require'],
  ['?sslnegotiation=direct', '?sslmode=require&sslnegotiation=direct'],
  ['?sslnegotiation=postgres', ''],
  ['?host=/run/postgresql&connect_timeout=5', '?host=%2Frun%2Fpostgresql&connect_timeout=5'],
  ['?options=-c%20role%3Downer', '?options=-c%20role%3Downer'],
  ['?statement_timeout=1&query_timeout=1&lock_timeout=1&keepAlive=true&max=3', ''],
  ['?pgbouncer=true&schema=public&dbname=other&service=other', ''],
])('of %s the programs get %s', (query, expected) => {
  expect(libpqAddress(host + query)).toEqual({ address: host + expected, env: {} })
})

test('a password is handed over beside the address, and is never in it', () => {
  const env = { PGPASSWORD: 'a/b c' }
  expect(libpqAddress('postgres://me:a%2Fb%20c@db/x')).toEqual({ address: 'postgres://me@db/x', env })
  expect(libpqAddress('postgres://me:other@db/x?password=a%2Fb+c')).toEqual({ address: 'postgres://me@db/x', env })
})

test('a mode in the environment that only node-postgres knows is replaced', () => {
  expect(libpqAddress(host, { PGSSLMODE: 'no-verify' }).address).toBe(`${host}?sslmode=require`)
  expect(libpqAddress(host, { PGSSLMODE: 'verify-full' }).address).toBe(host)
})

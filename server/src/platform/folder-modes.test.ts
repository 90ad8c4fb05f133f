// Facts about protecting the data folder from other users of the machine.
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { closeDataFolder } from './folder-modes.ts'

const root = mkdtempSync(join(tmpdir(), 'atelier-modes-'))
afterAll(() => rmSync(root, { recursive: true }))

const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8)

test('a folder that others could read is closed, with what lies in it', () => {
  const folder = join(root, 'open')
  mkdirSync(join(folder, 'pg'), { recursive: true })
  writeFileSync(join(folder, 'operator.json'), '{}')
  for (const path of [folder, join(folder, 'pg')]) chmodSync(path, 0o755)
  chmodSync(join(folder, 'operator.json'), 0o666)
  expect(closeDataFolder(folder)).toEqual([])
  expect(modeOf(folder)).toBe('700')
  expect(modeOf(join(folder, 'pg'))).toBe('700')
  expect(modeOf(join(folder, 'operator.json'))).toBe('600')
})

test('a folder that is a link is closed where it leads; links inside are left as they are', () => {
  const [real, shared] = [join(root, 'real'), join(root, 'shared')]
  for (const path of [real, shared]) mkdirSync(path)
  for (const path of [real, shared]) chmodSync(path, 0o755)
  symlinkSync(real, join(root, 'link'))
  symlinkSync(shared, join(real, 'files'))
  expect(closeDataFolder(join(root, 'link'))).toEqual([])
  expect([modeOf(real), modeOf(shared)]).toEqual(['700', '755'])
})

test('one that is not there is not made', () => {
  expect(closeDataFolder(join(root, 'none'))).toEqual([])
  expect(() => statSync(join(root, 'none'))).toThrow('ENOENT')
})

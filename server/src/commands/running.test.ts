// Facts about what a command says that finds no running service to call.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, expect, test, vi } from 'vitest'
import { postAsOperator, wordsOfRefusal } from './running.ts'

const folder = mkdtempSync(join(tmpdir(), 'atelier-running-'))
afterEach(() => {
  vi.unstubAllEnvs()
})
afterAll(() => rmSync(folder, { recursive: true }))

test('a file that is there and cannot be read is not called missing', async () => {
  vi.stubEnv('ATELIER_DATA_DIR', folder)
  const file = join(folder, 'operator.json')
  await expect(postAsOperator('/', {})).rejects.toThrow(`There is no running service here (${file} is missing)`)
  writeFileSync(file, '')
  await expect(postAsOperator('/', {})).rejects.toThrow(`${file} cannot be read (Unexpected end of JSON input)`)
})

test('a refusal is told in its words, and what is wrong with the input by its places', () => {
  const loc = ['body', 'scopes', 0]
  const wrong = {
    detail: [
      { type: 'enum', loc, msg: "Input should be 'read'", input: 'x' },
      { loc: ['body', 'name'], msg: 'Too long' },
    ],
  }
  expect(wordsOfRefusal(JSON.stringify(wrong))).toBe("scopes.0: Input should be 'read'; name: Too long")
  expect(wordsOfRefusal(JSON.stringify({ code: 'not_found', detail: 'There is nobody with this id.' }))).toBe(
    'There is nobody with this id.',
  )
  expect(wordsOfRefusal('<html>')).toBe('<html>')
})

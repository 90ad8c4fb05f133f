// Facts about TypeScript types generated from the OpenAPI document: they require from a client exactly what the service requires.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import openapiTS, { astToString } from 'openapi-typescript'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { defaultVocabulary } from '../vocabulary.ts'
import { openapi } from './openapi.ts'

const compiler = path.resolve(import.meta.dirname, '../../../node_modules/typescript/bin/tsc')
let folder: string

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'atelier-client-'))
  const document = openapi({ vocabulary: defaultVocabulary, publicUrl: null, version: '1.0.0' })
  const types = await openapiTS(JSON.stringify(document))
  writeFileSync(path.join(folder, 'atelier.ts'), astToString(types))
})
afterAll(() => rmSync(folder, { recursive: true }))

/** Compiles a program that uses the generated types; returns the compiler's errors, or an empty string if there are none. */
function compiled(program: string): string {
  const file = path.join(folder, 'use.ts')
  writeFileSync(file, `import type { components, operations } from './atelier.ts'\n${program}\nexport {}\n`)
  const options = ['--noEmit', '--strict', '--exactOptionalPropertyTypes', '--allowImportingTsExtensions']
  try {
    execFileSync(process.execPath, [compiler, ...options, '--module', 'nodenext', '--types', '', file], { cwd: folder })
    return ''
  } catch (error) {
    return error instanceof Error && 'stdout' in error ? String(error.stdout) : String(error)
  }
}

test('a client makes each kind of record with what the service asks for alone, and reads what answers have', () => {
  const program = `
    const task: components['schemas']['TaskCreate'] = { name: 'Glow' }
    const variants: components['schemas']['TaskCreate'] = { name: 'Glow', variants: [{ key: 'a', variation_num: 1 }] }
    const patch: components['schemas']['TaskPatch'] = { priority: 1, product_id: null }
    const start: components['schemas']['RunStart'] = { regenerate: [{ node_id: 'hook' }] }
    const run: components['schemas']['RunCreate'] = {}
    const graph: components['schemas']['GraphCreate'] = { name: 'Hooks' }
    const person: components['schemas']['UserCreate'] = { name: 'Ana' }
    const product: components['schemas']['ProductCreate'] = { name: 'Serum' }
    const lookup: components['schemas']['CreativeLookup'] = { names: ['a'] }
    const page: NonNullable<operations['tasksDeleted']['parameters']['query']> = { search: 'glow' }
    const creation: operations['createTask']['requestBody']['content']['application/json'] = task
    const nothing: operations['restoreTask']['requestBody'] = undefined
    const headers: NonNullable<operations['identityWebhook']['parameters']['header']> = { 'webhook-id': 'msg_1' }
    void [task, variants, patch, start, run, graph, person, product, lookup, page, creation, nothing, headers]

    // A client can read a member that every response has without a check for undefined.
    type Made = operations['createTask']['responses'][200]['content']['application/json']
    type Page = operations['tasksDeleted']['responses'][200]['content']['application/json']
    type Rows = operations['lookupCreatives']['responses'][200]['content']['application/json']
    export const read = (made: Made, page: Page, rows: Rows) => {
      const launch: boolean = made.data.manual_launch
      const [first] = page.data.tasks
      const names: string[] = rows.flatMap(({ creatives }) => creatives.map(({ name }) => name))
      const total: number | null = page.data.meta.total
      const count: number = first?.comment_count ?? 0
      return [launch, names, total, count]
    }`
  expect(compiled(program)).toBe('')
})

test('the compiler refuses a task without a name, a member of no task, and a number for a campaign id', () => {
  const program = `
    export const nameless: components['schemas']['TaskCreate'] = { priority: 1 }
    export const foreign: components['schemas']['TaskPatch'] = { titel: 'x' }
    export const counted: components['schemas']['CreativeLookup'] = { ad_ids: [1] }`
  const said = compiled(program).split('\n')
  for (const [line, word] of [
    [3, "'name'"],
    [4, "'titel'"],
    [5, "'number'"],
  ]) {
    expect(said.find((text) => text.startsWith(`use.ts(${line},`))).toContain(word)
  }
})

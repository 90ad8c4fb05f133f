// Facts about linting the OpenAPI document: it passes the strictest rules of Redocly, so clients' tools should accept it.
import { execFile } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { defaultVocabulary } from '../vocabulary.ts'
import { openapi } from './openapi.ts'

const root = path.resolve(import.meta.dirname, '../../..')
const redocly = path.join(root, 'node_modules/@redocly/cli/bin/cli.js')
// These variables keep the linter from using the network.
const silent = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }

/** Writes the document to `.artifacts/openapi.json` and lints it; returns Redocly's report, and whether the document passed. */
async function lint(document: object): Promise<{ passed: boolean; report: string }> {
  await mkdir(path.join(root, '.artifacts'), { recursive: true })
  await writeFile(path.join(root, '.artifacts/openapi.json'), JSON.stringify(document, null, 2))
  const options = { cwd: root, env: { ...process.env, ...silent } }
  const args = [redocly, 'lint', '.artifacts/openapi.json', '--format=stylish']
  return promisify(execFile)(process.execPath, args, options).then(
    ({ stdout, stderr }) => ({ passed: true, report: stdout + stderr }),
    ({ stdout = '', stderr = '' }) => ({ passed: false, report: `${stdout}${stderr}` }),
  )
}

const deployment = { vocabulary: defaultVocabulary, publicUrl: 'https://atelier.example.org', version: '1.2.3' }

test('the document passes every rule of recommended-strict', async () => {
  const { passed, report } = await lint(openapi(deployment))
  expect(passed, report).toBe(true)
})

test('a fault in the document is found', async () => {
  const { passed, report } = await lint({ ...openapi(deployment), tags: [{ name: 'Nowhere' }] })
  expect(passed).toBe(false)
  expect(report).toContain('tag-description')
})

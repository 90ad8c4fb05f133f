// Facts about the example script that runs a graph (docs/examples/run-a-graph.sh), with a listening service that executes runs.
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Service, startService } from '../support/harness.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
  await service.app.worker.start()
})
afterAll(() => service.close())

test('the script goes from a task over a gate and a re-roll to files on the card', async () => {
  const url = await service.app.server.listen({ host: '127.0.0.1', port: 0 })
  const script = fileURLToPath(new URL('../../../docs/examples/run-a-graph.sh', import.meta.url))
  const { token } = await service.integration(['read', 'tasks:write', 'graphs:write', 'runs:write'])
  const environment = { ...process.env, ATELIER_URL: url, ATELIER_TOKEN: token }
  const { stdout } = await promisify(execFile)('bash', [script], { env: environment })
  const said = stdout.trim().split('\n')
  expect(said.filter((line) => /^ {3}\S+: \d{4,} bytes$/.test(line))).toHaveLength(2)
  expect(said.at(-1)).toBe('done')
})

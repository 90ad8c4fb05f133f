// Facts about the integrators' restore script (docs/examples/restore.sh), with a listening service.
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Service, startService } from '../support/harness.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

test('the restore script walks from a deleted task over a taken name to a restored one', async () => {
  const url = await service.app.server.listen({ host: '127.0.0.1', port: 0 })
  const script = fileURLToPath(new URL('../../../docs/examples/restore.sh', import.meta.url))
  const environment = { ...process.env, ATELIER_URL: url, ATELIER_TOKEN: service.owner.token }
  const { stdout } = await promisify(execFile)('bash', [script], { env: environment })
  expect(stdout.trim().split('\n').at(-1)).toBe('done')
})

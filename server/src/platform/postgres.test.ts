// Facts about listening for notifications of PostgreSQL while there is no server.
import { createServer } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { eventually } from '../../test/support/eventually.ts'
import { createLog } from './log.ts'
import { postgresEngine } from './postgres.ts'

test('that nothing can be listened for is logged once, however often it is tried', async () => {
  let tries = 0
  const server = createServer((socket) => {
    tries += 1
    socket.destroy()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server has no port.')
  const lines: string[] = []
  const log = createLog('info', { write: (line) => void lines.push(line) })
  const engine = postgresEngine(`postgres://nobody@127.0.0.1:${address.port}/none`, { connections: 1, log })
  onTestFinished(() => engine.close())
  await engine.listen('changes', () => undefined)
  await eventually(() => expect(tries).toBeGreaterThan(3))
  const said = lines.map((line) => JSON.parse(line))
  expect(said.filter(({ msg }) => msg.startsWith('cannot listen for notifications'))).toHaveLength(1)
})

// Facts about a service on its embedded database that is killed in the middle of a run and restarted on the same folder.
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { killChildren } from '../support/child.ts'
import { definitionOf } from '../support/definitions.ts'
import { eventually } from '../support/eventually.ts'
import { newInstallation } from '../support/installation.ts'
import { type Serving, startServing } from '../support/serving.ts'

const folders: string[] = []
afterEach(async () => {
  await killChildren()
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true })
})

/** An external service that holds its responses until the test opens it, and counts its requests. */
async function startSlow() {
  const waiting: ServerResponse[] = []
  let asked = 0
  let isOpen = false
  const server = createServer((_, answer) => {
    answer.setHeader('content-type', 'text/plain')
    asked += 1
    if (isOpen) answer.end('done')
    else waiting.push(answer)
  })
  server.listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const address = server.address()
  const port = address !== null && typeof address === 'object' ? address.port : 0
  return {
    port,
    asked: () => asked,
    open: () => {
      isOpen = true
      for (const answer of waiting) answer.end('done')
    },
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

test('crash: a run goes on after a kill -9 and a restart; what was paid stays paid, what may have happened is told', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'atelier-killed-'))
  folders.push(folder)
  const slow = await startSlow()
  const { settings } = await newInstallation(folder)
  const environment = { ...settings, ATELIER_ALLOWED_HOSTS: `127.0.0.1:${slow.port}` }
  const first = await startServing(environment)
  const token = first.access
  const definition = definitionOf(
    {
      image: { type: 'sample.image', inputs: { prompt: 'paid before the kill' }, params: { width: 64, height: 64 } },
      small: { type: 'image.convert' },
      call: { type: 'http.request', params: { url: `http://127.0.0.1:${slow.port}/` } },
      last: { type: 'list.collect' },
    },
    'image.image > small.image',
    'call.text > last.values',
  )
  const { body: graph } = await first.ask('POST', '/api/v1/graphs', { token, body: { name: 'Killed', definition } })
  // This is the first run of the process, which therefore has nothing about the job queue in its memory yet.
  const runs = `/api/v1/graphs/${graph.data.id}/runs`
  const { body: made } = await first.ask('POST', runs, { token, body: { execute: true } })
  const run = `/api/v1/runs/${made.data.id}`
  const read = async (serving: Serving) => (await serving.ask('GET', run, { token })).body.data
  const until = (serving: Serving, is: (run: Awaited<ReturnType<typeof read>>) => boolean) =>
    eventually(async () => {
      const found = await read(serving)
      if (!is(found)) throw new Error(`The run is not as expected: ${JSON.stringify(found.nodes)}`)
      return found
    })
  const before = await until(first, ({ nodes }) => nodes.small?.status === 'succeeded' && slow.asked() === 1)
  expect(before).toMatchObject({ status: 'running', credits_total: 1 })
  first.kill('SIGKILL')
  expect(await first.ended).toEqual({ code: null, signal: 'SIGKILL' })
  slow.open()

  const second = await startServing(environment)
  const ended = await until(second, ({ status }) => status === 'failed')
  expect(ended.nodes.image).toMatchObject({ status: 'succeeded', outputs: before.nodes.image.outputs })
  expect(ended.nodes.call.error).toMatch(/^outcome_unknown/)
  expect(slow.asked()).toBe(1)
  expect(ended).toMatchObject({ credits_total: 1, generation: 1 })

  await second.ask('POST', `${run}/start`, { token })
  const again = await until(second, ({ status }) => status === 'succeeded')
  expect(again).toMatchObject({ credits_total: 1, generation: 2, nodes: { last: { outputs: { list: ['done'] } } } })
  expect(slow.asked()).toBe(2)
  slow.close()
})

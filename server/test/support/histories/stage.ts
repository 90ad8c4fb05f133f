// In charge of preparing what all histories share (the stage): a service, a graph, a card and a file, workers with different
// names on one database, and the triggers that check every write.

import Type from 'typebox'
import { defineNode, File, gives } from '../../../src/nodes/define.ts'
import type { NodeType } from '../../../src/nodes/node-type.ts'
import { systemClock } from '../../../src/platform/clock.ts'
import type { Config } from '../../../src/platform/config.ts'
import { type Database, openDatabase } from '../../../src/platform/db.ts'
import { createLog } from '../../../src/platform/log.ts'
import { postgresEngine } from '../../../src/platform/postgres.ts'
import { type App, createApp } from '../../../src/wiring/app.ts'
import { startAudit } from '../chaos/audit.ts'
import { engineOn } from '../engine.ts'
import { answerOf } from '../storm.ts'
import { createProvider, testNodes } from '../test-nodes.ts'
import { modelDefinition } from './histories.ts'
import { inTurn } from './turns.ts'
import { type Ask, memberOf, nameOf, type Stage } from './world.ts'

/** A database that contains only its owner; `url` is null on the embedded database. */
export type Given = { database: Database; url: string | null; config: Config; token: string }
export type Staged = Stage & { app: App; violations(): Promise<string[]>; close(): Promise<void> }

const workers = 3

/** Longer than any test, so that no worker is overdue on a slow machine. Histories move a heartbeat back by an hour instead. */
const limits = { lostSeconds: 1800, cancelSeconds: 1800 }
const lateAfter = { lostAfterSeconds: limits.lostSeconds, cancelAfterSeconds: limits.cancelSeconds }

export async function setStage({ database, url, config, token }: Given): Promise<Staged> {
  const log = createLog('silent')
  const provider = createProvider()
  provider.failOn('bad')
  const moreNodeTypes = [...testNodes(provider), fileNode]
  const app = await createApp({ config, database: inTurn(database), log, clock: systemClock, moreNodeTypes })
  const ask = askOf(app, token)
  const digest = await upload(app, token)
  const [definition, otherDefinition] = [modelDefinition(digest, 'a', 'b'), modelDefinition(digest, 'bad', 'a')]
  const graph = await ask('POST', '/graphs', { name: 'Model', definition })
  const task = await ask('POST', '/tasks', { name: 'Model' })
  const handles = url ? Array.from({ length: workers }, (_, worker) => openNamed(url, nameOf(worker))) : []
  const engines = await Promise.all(
    (url ? handles : [database]).map((handle) => engineOn({ database: inTurn(handle) }, moreNodeTypes, {}, lateAfter)),
  )
  await startAudit((text) => database.script(text), limits)
  return {
    ...{ app, ask, database, engines, definition, otherDefinition, seen: {} },
    graphId: String(memberOf(graph.data, 'id')),
    taskId: String(memberOf(task.data, 'id')),
    violations: async () =>
      (await database.script('select what from chaos.violations')).map(({ what }) => String(what)),
    close: async () => {
      for (const { queue } of engines) await queue.stop()
      await app.stop()
      for (const handle of handles) await handle.close()
    },
  }
}

function openNamed(url: string, name: string): Database {
  const named = new URL(url)
  named.searchParams.set('application_name', name)
  return openDatabase(postgresEngine(named.href, { connections: 4, log: createLog('silent') }))
}

const askOf =
  (app: App, token: string): Ask =>
  async (method, path, body) => {
    const answer = await app.server.inject({
      method,
      url: `/api/v1${path}`,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
    })
    const { status, code, data, text } = answerOf(answer.statusCode, answer.payload)
    return { status, code: code ?? '', data, text }
  }

async function upload(app: App, token: string): Promise<string> {
  const answer = await app.server.inject({
    method: 'POST',
    url: '/api/v1/files',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'text/plain' },
    payload: 'A file to export.',
  })
  const digest = memberOf(memberOf(JSON.parse(answer.payload), 'data'), 'digest')
  if (typeof digest !== 'string') throw new Error(`The file was not taken: ${answer.payload}`)
  return digest
}

const fileNode: NodeType = defineNode({
  ...{ type: 'test.file', title: 'File', summary: 'Gives a file that is there.', help: 'For tests.', group: 'other' },
  params: { digest: Type.String() },
  inputs: {},
  outputs: { file: gives('File', 'The file.', File) },
  run: async ({ params: { digest } }) => ({
    outputs: { file: { digest, media_type: 'text/plain', size: 17, name: null } },
  }),
})

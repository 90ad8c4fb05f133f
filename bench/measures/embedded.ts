// In charge of measuring the service on a filled embedded database: how long it takes to become ready, and how much memory it uses.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { CompiledQuery } from 'kysely'
import { ensureOwner } from '../../server/src/features/people/owner.ts'
import { openDatabase } from '../../server/src/platform/db.ts'
import { embeddedEngine } from '../../server/src/platform/embedded.ts'
import { migrate } from '../../server/src/platform/migrate.ts'
import { fillTasks } from '../data.ts'
import { bytesOf, openLine } from '../line.ts'
import { benchToken, firstLineOf, startServer } from '../processes.ts'
import { median, type Report } from '../report.ts'

const starts = 3
const requests = 500

async function fill(folder: string, tasks: number, tell: (line: string) => void): Promise<void> {
  const engine = await embeddedEngine(folder)
  const database = openDatabase(engine)
  await migrate(database)
  await ensureOwner(database, benchToken)
  const sql = async (text: string, values: unknown[] = []) => {
    // `read` returns rows as arrays; statements such as `vacuum` return none.
    return engine.read({ name: null, text }, values)
  }
  await fillTasks([sql], tasks, tell)
  await sql('vacuum analyze')
  await database.main.executeQuery(CompiledQuery.raw('checkpoint'))
  await database.close()
}

export async function measureEmbedded(report: Report, tasks: number, tell: (line: string) => void): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'atelier-embedded-'))
  try {
    await fill(folder, tasks, tell)
    const measured: (Awaited<ReturnType<typeof serveOnce>> & { bare: { line: string; ms: number } })[] = []
    for (let turn = 0; turn < starts; turn++) {
      const bare = await firstLineOf('bare-embedded.ts', [folder])
      measured.push({ bare, ...(await serveOnce(folder)) })
    }
    const middle = (of: (one: (typeof measured)[number]) => number) => median(measured.map(of))
    report.heading(`Embedded, ${tasks.toLocaleString('en')} tasks; the floor opens the same folder and asks one thing`)
    report.add(
      {
        what: 'from start to ready',
        unit: 'ms',
        ours: middle(({ startedInMs }) => startedInMs),
        floor: middle(({ bare }) => bare.ms),
      },
      {
        what: 'resident memory when ready',
        unit: 'MB',
        ours: middle(({ ready }) => ready),
        floor: middle(({ bare }) => Number(bare.line)),
      },
      { what: `resident memory after ${requests} pages`, unit: 'MB', ours: middle(({ used }) => used) },
      { what: 'first page, one request at a time', unit: 'ms', ours: middle(({ page }) => page) },
    )
  } finally {
    rmSync(folder, { recursive: true })
  }
}

async function serveOnce(folder: string) {
  const server = await startServer({ dataDir: folder })
  const ready = server.memory() ?? NaN
  const line = await openLine(server.port)
  const times = []
  for (let turn = 0; turn < requests; turn++) {
    const path = turn % 2 === 0 ? '/api/v1/tasks/board?limit=24' : '/api/v1/tasks/deleted?limit=24'
    times.push(await line.ask(bytesOf({ port: server.port, token: server.token, path })))
  }
  line.close()
  const used = server.memory() ?? NaN
  await server.end()
  return { startedInMs: server.startedInMs, ready, used, page: median(times) }
}

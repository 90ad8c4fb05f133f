// In charge of the set-up for web benchmarks: the real service on an embedded database with a long column, and Chromium.
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { launchChromium } from '../../e2e/support/browsers.ts'
import { ensureOwner } from '../../server/src/features/people/owner.ts'
import { openDatabase } from '../../server/src/platform/db.ts'
import { embeddedEngine } from '../../server/src/platform/embedded.ts'
import { migrate } from '../../server/src/platform/migrate.ts'
import { fillTasks } from '../data.ts'
import { benchToken, type Server, startServer } from '../processes.ts'
import { fillCovers } from './covers-data.ts'

export type WebStage = {
  url: string
  /** The number of cards in the long column. */
  cards: number
  /** Sends a request as the owner; returns the response's `data`. */
  get<T>(path: string): Promise<T>
  post<T>(path: string, body: object): Promise<T>
  /** Uploads a file; returns its digest. */
  upload(bytes: Buffer, mediaType: string): Promise<string>
  /** Opens an empty page of a signed-in user, with nothing in the browser's cache. */
  visitor(): Promise<Page>
  /** Opens a page like `visitor`, and loads a path of the app in it. */
  open(path: string): Promise<Page>
  close(): Promise<void>
}

/** The number of cards in the longest column; all other columns together have a fifth as many. */
const longest = 5_000
const deletedShare = 1 / 5

/**
 * `kept`: a folder to fill and keep, or to use as it is if it exists already; undefined for a folder that is removed at the end.
 */
export async function setWebStage(kept: string | undefined, tell: (line: string) => void): Promise<WebStage> {
  const folder = kept ?? mkdtempSync(path.join(tmpdir(), 'atelier-bench-web-'))
  if (kept === undefined) process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  if (kept === undefined || !existsSync(kept)) {
    tell('filling an embedded database')
    await fill(folder)
  }
  tell('starting the service and Chromium')
  const server = await startServer({ dataDir: folder })
  const browser = await launchChromium()
  const ask = asker(server)
  const me = await ask<{ user: { id: string } }>('GET', '/api/v1/users/me')
  const columns = await ask<{ status: string; total: number }[]>('GET', '/api/v1/tasks/columns')
  const visitor = async () => emptyPage(await newVisitor(browser, ask, me.user.id))
  return {
    url: `http://127.0.0.1:${server.port}`,
    cards: columns.find(({ status }) => status === 'backlog')?.total ?? 0,
    get: (path) => ask('GET', path),
    post: (path, body) => ask('POST', path, body),
    async upload(body, mediaType) {
      const headers = { authorization: `Bearer ${server.token}`, 'content-type': mediaType }
      const answer = await fetch(`http://127.0.0.1:${server.port}/api/v1/files`, {
        method: 'POST',
        headers,
        body: new Uint8Array(body),
      })
      const text = await answer.text()
      if (!answer.ok) throw new Error(`The upload answered ${answer.status}: ${text.slice(0, 500)}`)
      return JSON.parse(text).data.digest
    },
    visitor,
    async open(path) {
      const page = await visitor()
      await page.goto(`http://127.0.0.1:${server.port}${path}`)
      return page
    },
    async close() {
      await browser.close()
      await server.end()
    },
  }
}

async function fill(folder: string): Promise<void> {
  const engine = await embeddedEngine(folder)
  const database = openDatabase(engine)
  await migrate(database)
  await ensureOwner(database, benchToken)
  const sql = async (text: string, values: unknown[] = []) => engine.read({ name: null, text }, values)
  await fillTasks([sql], (longest * 1.2) / (1 - deletedShare), () => undefined)
  await sql(
    `update tasks set status = 'backlog'
     where id in (select id from tasks where deleted_at is null order by status = 'backlog' desc, number limit $1)`,
    [longest],
  )
  await fillCovers(sql, path.join(folder, 'files'))
  await sql('vacuum analyze')
  await database.close()
}

type AskService = <T>(method: 'GET' | 'POST', path: string, body?: object) => Promise<T>

function asker({ port, token }: Server): AskService {
  return async (method, path, body) => {
    const headers = { authorization: `Bearer ${token}`, ...(body ? { 'content-type': 'application/json' } : {}) }
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      headers,
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${text.slice(0, 500)}`)
    return JSON.parse(text).data
  }
}

/** Signs a user in without opening a page of the app, so that no file of the app is cached when the first page is opened. */
async function newVisitor(browser: Browser, ask: AskService, userId: string): Promise<BrowserContext> {
  const { url } = await ask<{ url: string }>('POST', '/api/v1/sign-in-links', { user_id: userId })
  const context = await browser.newContext({ viewport: { width: 1366, height: 768 } })
  context.setDefaultTimeout(30_000)
  const { origin, pathname, searchParams } = new URL(url)
  const form = { code: searchParams.get('code') ?? '' }
  const answer = await context.request.post(origin + pathname, { form, headers: { origin }, maxRedirects: 0 })
  if (answer.status() >= 400) throw new Error(`The link to sign in answered ${answer.status()}.`)
  return context
}

const calm = { everyMs: 250, atMostMs: 15, patienceMs: 60_000 } as const

/**
 * Opens an empty page and waits until Chromium is idle. A new window first loads internal pages, which takes most of a second of
 * processor time; this is not measured, because real users open the app in a window that they have had for a while.
 */
async function emptyPage(context: BrowserContext): Promise<Page> {
  const page = await context.newPage()
  const session = await context.browser()?.newBrowserCDPSession()
  if (!session) throw new Error('The page has no browser.')
  let before = 0
  for (const deadline = performance.now() + calm.patienceMs; performance.now() < deadline; await wait(calm.everyMs)) {
    const { processInfo } = await session.send('SystemInfo.getProcessInfo')
    const now = processInfo.reduce((sum, { cpuTime }) => sum + cpuTime * 1000, 0)
    if (now - before <= calm.atMostMs) {
      await session.detach()
      return page
    }
    before = now
  }
  throw new Error('The browser did not come to rest within a minute.')
}

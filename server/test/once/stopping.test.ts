// Facts about the service process with work that ignores cancel signals: requests are served meanwhile, a cancel kills such
// work at once, and a stop always ends within its time limit and leaves no process behind.
import { execFileSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { killChildren } from '../support/child.ts'
import { eventually } from '../support/eventually.ts'
import { hostileSvgs } from '../support/hostile-pictures.ts'
import { newInstallation } from '../support/installation.ts'
import { type Serving, startServing } from '../support/serving.ts'
import { bearer, hangingThreads, neverRead, resizing, token, upload } from '../support/stuck-files.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'atelier-stopping-'))
})
afterAll(async () => {
  await killChildren()
  await rm(folder, { recursive: true, force: true })
})

/** Creates a new installation for each test, because two tests run at the same time. */
async function install(name: string): Promise<Record<string, string>> {
  const { settings } = await newInstallation(path.join(folder, name))
  return { ...settings, ATELIER_OWNER_TOKEN: token }
}

/** The processes in which a service draws pictures, with the seconds of processor time that each has used. */
async function pictureProcesses(pid: number): Promise<Map<number, number>> {
  const listed = execFileSync('ps', ['-eo', 'pid=,ppid=,cputimes=,args='], { encoding: 'utf8' })
  const rows = listed.split('\n').map((line) => /^ *(\d+) +(\d+) +(\d+) +(.*)$/.exec(line) ?? [])
  const ours = rows.filter(([, , parent, , args = '']) => Number(parent) === pid && args.includes('images/child.ts'))
  return new Map(ours.map(([, child, , seconds]) => [Number(child), Number(seconds)]))
}

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

const download = (serving: Serving, digest: string): Promise<Response> =>
  fetch(`${serving.url}/api/v1/files/${digest}`, { headers: bearer })

/** Starts a run that draws the SVG. Resolves once a process has spent a second on the drawing. */
async function drawing(serving: Serving, digest: string): Promise<{ runId: string; child: number }> {
  const runId = await resizing(serving, digest)
  const child = await eventually(async () => {
    const [busy] = [...(await pictureProcesses(serving.pid))].filter(([, seconds]) => seconds >= 1)
    if (!busy) throw new Error('no process draws')
    return busy[0]
  })
  return { runId, child }
}

async function becomes(serving: Serving, runId: string, status: string): Promise<void> {
  await eventually(async () => {
    const { body } = await serving.ask('GET', `/api/v1/runs/${runId}`, { token })
    expect(body.data.status).toBe(status)
  })
}

/** Node.js uses four threads for file access unless `UV_THREADPOOL_SIZE` sets another number. */
const fileThreads = Number(process.env.UV_THREADPOOL_SIZE ?? 4)

/** Blocks every file thread with a file whose read never ends. */
async function hangFiles(serving: Serving, settings: Record<string, string>): Promise<void> {
  const stuck = await neverRead(serving, settings, 'never read')
  for (let at = 0; at < fileThreads + 2; at++) download(serving, stuck).catch(() => undefined)
  await hangingThreads(serving.pid, fileThreads)
  expect((await fetch(`${serving.url}/healthz`)).status).toBe(200)
}

// This test and the next one run concurrently, to save time: one waits for a time limit while the other draws.
test.concurrent('an SVG that takes minutes is ended by a cancel; files are served meanwhile; a stop leaves no process', async () => {
  const settings = await install('cancelled')
  const serving = await startServing(settings)
  const [svg, text] = [await upload(serving, hostileSvgs['noise over noise'], 'image/svg+xml'), 'short']
  const short = await upload(serving, text, 'text/plain')
  const first = await drawing(serving, svg)
  expect(await (await download(serving, short)).text()).toBe(text)
  await upload(serving, 'another', 'text/plain')
  await serving.ask('POST', `/api/v1/runs/${first.runId}/cancel`, { token })
  await becomes(serving, first.runId, 'cancelled')
  await eventually(() => expect(isAlive(first.child)).toBe(false))
  const { child } = await drawing(serving, svg)
  serving.kill('SIGTERM')
  expect(await serving.ended).toEqual({ code: 0, signal: null })
  await eventually(() => expect(isAlive(child)).toBe(false))
})

test.concurrent('with every thread for files hanging, SIGTERM ends the service within its bound', async () => {
  const settings = await install('bound')
  const serving = await startServing(settings)
  await hangFiles(serving, settings)
  serving.kill('SIGTERM')
  expect(await serving.ended).toEqual({ code: null, signal: 'SIGKILL' })
  expect(serving.stdout() + serving.stderr()).toContain('the graceful stop took too long')
})

test('a killed service takes its drawing processes with it', async () => {
  const settings = await install('killed')
  const serving = await startServing(settings)
  const { child } = await drawing(serving, await upload(serving, hostileSvgs['noise over noise'], 'image/svg+xml'))
  serving.kill('SIGKILL')
  await serving.ended
  await eventually(() => expect(isAlive(child)).toBe(false))
})

test('with every thread for files hanging, a second SIGTERM ends the service at once', async () => {
  const settings = await install('twice')
  const serving = await startServing(settings)
  await hangFiles(serving, settings)
  serving.kill('SIGTERM')
  await eventually(() => expect(fetch(`${serving.url}/healthz`)).rejects.toThrow())
  serving.kill('SIGTERM')
  expect(await serving.ended).toEqual({ code: null, signal: 'SIGKILL' })
  expect(serving.stdout() + serving.stderr()).not.toContain('the graceful stop took too long')
})

// Facts about the service process: how it starts, what it prints, how it stops, and what remains after a kill. The tests of
// `one life` build on each other: each starts the service on the data that the previous test left.
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { type IncomingMessage, request } from 'node:http'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { killChildren, startChild } from '../support/child.ts'
import { eventually } from '../support/eventually.ts'
import { engine } from '../support/harness.ts'
import { newInstallation } from '../support/installation.ts'
import { type Serving, startServing } from '../support/serving.ts'

let folder: string
const drops: (() => Promise<void>)[] = []
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'atelier-serve-'))
})
afterEach(killChildren)
afterAll(async () => {
  for (const drop of drops) await drop()
  await rm(folder, { recursive: true, force: true })
})

async function install(name: string, how: 'empty' | 'migrated'): Promise<Record<string, string>> {
  const { settings, drop } = await newInstallation(path.join(folder, name), how)
  drops.push(drop)
  return settings
}

const stopped = async (serving: Serving): Promise<void> => {
  serving.kill('SIGTERM')
  expect(await serving.ended).toEqual({ code: 0, signal: null })
}
const operatorFile = (settings: Record<string, string>) => path.join(settings.ATELIER_DATA_DIR ?? '', 'operator.json')

describe('one life', () => {
  let settings: Record<string, string>
  let token: string
  let taskId: string
  beforeAll(async () => {
    settings = await install('life', 'empty')
  })

  test('the first start prints a link and a token that work; `token` issues others, through a file only its user can read', async () => {
    const serving = await startServing(settings)
    token = serving.access
    expect(token).toMatch(/^atl_[\w-]{43}$/)
    expect(serving.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
    expect(serving.stdout()).toContain(
      engine === 'embedded' ? 'a killed process and a power cut' : 'PostgreSQL, as DATABASE_URL says',
    )
    const [, tokenFile = ''] = await serving.printed(/Try it +curl -H "Authorization: Bearer \$\(cat (.+)\)"/)
    expect(await readFile(tokenFile, 'utf8')).toBe(`${token}\n`)
    const linkFile = path.join(settings.ATELIER_DATA_DIR ?? '', 'sign-in-link')
    for (const file of [tokenFile, linkFile]) expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect(serving.stdout()).not.toContain(token)
    expect(serving.stdout()).not.toContain((await serving.link()).split('code=')[1])
    expect((await fetch(`${serving.url}/docs`)).status).toBe(200)
    expect(await (await fetch(`${serving.url}/readyz`)).json()).toEqual({ status: 'ready' })
    expect((await serving.ask('GET', '/api/v1/tasks/board?limit=3', { token })).status).toBe(200)
    const created = await serving.ask('POST', '/api/v1/tasks', { token, body: { name: 'Lives on' } })
    taskId = created.body.data.id

    expect((await stat(operatorFile(settings))).mode & 0o777).toBe(0o600)
    const issued = await tokenCommand('--name', 'Script', '--scopes', 'read, launches:write')
    expect(issued).toEqual({ code: 0, out: expect.stringMatching(/^atl_[\w-]{43}\n$/), error: '' })
    const me = await serving.ask('GET', '/api/v1/users/me', { token: issued.out.trim() })
    expect(me.body.data).toMatchObject({ name: 'Script', scopes: ['read', 'launches:write'] })
    const unknown = await tokenCommand('--nmae', 'x')
    expect(unknown).toMatchObject({ code: 1, error: expect.stringMatching(/^Unknown option '--nmae'/) })

    await stopped(serving)
    expect(serving.stderr()).toBe('')
    await expect(stat(operatorFile(settings))).rejects.toThrow('ENOENT')
    await expect(stat(linkFile)).rejects.toThrow('ENOENT')
    expect(await readFile(tokenFile, 'utf8')).toBe(`${token}\n`)
    const late = await tokenCommand('--name', 'x', '--scopes', 'read')
    expect(late).toMatchObject({ code: 1, error: expect.stringMatching(/^There is no running service here [^\n]*\n$/) })
  })

  test('the next start keeps what there is and takes a token of the operator; SIGTERM lets requests under way end', async () => {
    const given = `given-by-the-operator-${'x'.repeat(20)}`
    const environment = { PUBLIC_URL: 'https://atelier.example/', ATELIER_OWNER_TOKEN: given }
    const serving = await startServing({ ...settings, ...environment })
    expect(serving.stdout()).toContain('Atelier is ready:  https://atelier.example\n')
    expect(serving.access).toBe('is the one in ATELIER_OWNER_TOKEN')
    expect(serving.stdout()).not.toContain(given)
    for (const known of [token, given]) {
      const { body } = await serving.ask('GET', `/api/v1/tasks/${taskId}`, { token: known })
      expect(body.data.name).toBe('Lives on')
    }

    const underWay = await post(serving, 'Under way at the end')
    serving.kill('SIGTERM')
    await eventually(() => expect(fetch(`${serving.url}/healthz`)).rejects.toThrow())
    underWay.finish()
    const response = await underWay.answered
    expect([response?.statusCode, response?.headers.connection]).toEqual([200, 'close'])
    expect(await serving.ended).toEqual({ code: 0, signal: null })
  })

  test('crash: a killed service has lost nothing it acknowledged; told twice to stop, it ends at once', async () => {
    const serving = await startServing(settings)
    const acknowledged: string[] = []
    const writing = Array.from({ length: 4 }, async () => {
      for (;;) {
        const { body } = await serving.ask('POST', '/api/v1/tasks', { token, body: { name: 'Acknowledged' } })
        acknowledged.push(body.data.id)
        if (acknowledged.length === 20) serving.kill('SIGKILL')
      }
    })
    await Promise.allSettled(writing) // each fails when the kill breaks its connection
    expect(await serving.ended).toEqual({ code: null, signal: 'SIGKILL' })
    expect(acknowledged.length).toBeGreaterThanOrEqual(20)

    const again = await startServing(settings)
    expect(again.access).toBe('was shown at the first start; `npm run token -- --help` issues another')
    expect(again.stdout()).not.toContain('atl_')
    for (const id of acknowledged) {
      expect((await again.ask('GET', `/api/v1/tasks/${id}`, { token })).status).toBe(200)
    }
    const held = await post(again, 'Never sent whole')
    again.kill('SIGTERM')
    await eventually(() => expect(fetch(`${again.url}/healthz`)).rejects.toThrow())
    again.kill('SIGTERM')
    expect(await again.ended).toEqual({ code: 130, signal: null })
    await expect(held.answered).rejects.toThrow()
  })

  async function tokenCommand(...args: string[]): Promise<{ code: number | null; out: string; error: string }> {
    const run = startChild('server/src/main.ts', ['token', ...args], settings)
    const { code } = await run.ended
    return { code, out: run.stdout(), error: run.stderr() }
  }

  /** Begins a request that creates a task: the service has the headers and waits for the body. */
  async function post(serving: Serving, name: string) {
    const body = JSON.stringify({ name })
    const headers = {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'content-length': body.length,
      expect: '100-continue',
    }
    const sent = request(`${serving.url}/api/v1/tasks`, { method: 'POST', headers })
    const answered = once(sent, 'response').then(([response]: IncomingMessage[]) => response?.resume())
    answered.catch(() => undefined) // prevents an unhandled rejection; a test that awaits `answered` still gets the error
    sent.flushHeaders()
    await once(sent, 'continue')
    return { answered, finish: () => sent.end(body) }
  }
})

describe('a start', () => {
  /** Runs `serve` until it exits. */
  const failed = async (environment: Record<string, string>) => {
    const child = startChild('server/src/main.ts', ['serve'], { ATELIER_DEMO: 'false', ...environment })
    const { code } = await child.ended
    return { code, said: child.stderr() }
  }

  test('with wrong settings tells them all, and ends with 78', async () => {
    const { code, said } = await failed({ PORT: 'x', LOG_LEVEL: 'x', ATELIER_NOPE: '1' })
    expect(code).toBe(78)
    expect(said.trim().split('\n')).toEqual([
      'The settings are not right:',
      '  - ATELIER_NOPE is not a setting; docs/configuration.md lists them',
      '  - PORT must be a whole number from 0 to 65535',
      expect.stringMatching(/^ {2}- LOG_LEVEL must be one of /),
    ])
  })

  test('on a port that is taken says so, and does not use up the first token', async () => {
    const settings = await install('port', 'migrated')
    const taken = createServer()
    taken.listen(0, '127.0.0.1')
    await once(taken, 'listening')
    const address = taken.address()
    const port = typeof address === 'object' ? String(address?.port) : ''
    expect(await failed({ ...settings, PORT: port })).toEqual({
      code: 1,
      said: `Port ${port} is taken by another program: stop that one, or set PORT to another port.\n`,
    })
    expect(await failed({ ...settings, PORT: port, HOST: '203.0.113.1' })).toEqual({
      code: 1,
      said: expect.stringMatching(/^Cannot listen on 203\.0\.113\.1, port \d+ \(HOST, PORT\): [^\n]+\n$/),
    })
    taken.close()
    const serving = await startServing(settings)
    expect(serving.access).toMatch(/^atl_/)
    await stopped(serving)
  })

  test('that cannot write a file says which, and does not use up the first token', async () => {
    const settings = await install('unwritable', 'migrated')
    const inData = (name: string) => path.join(settings.ATELIER_DATA_DIR ?? '', name)
    for (const name of ['operator.json', 'owner-token']) {
      // A folder in the place of the file, because root can write wherever a file's mode forbids it.
      await mkdir(path.join(inData(name), 'held'), { recursive: true })
      expect(await failed({ ...settings, PORT: '0' })).toEqual({
        code: 1,
        said: expect.stringMatching(new RegExp(`^The file ${inData(name)} cannot be written: [^\\n]+\\n$`)),
      })
      await rm(inData(name), { recursive: true })
    }
    const serving = await startServing(settings)
    expect((await serving.ask('GET', '/api/v1/users/me', { token: serving.access })).status).toBe(200)
    await stopped(serving)
  })

  test('by an unknown command lists those there are', async () => {
    const child = startChild('server/src/main.ts', ['sevre'])
    expect(await child.ended).toEqual({ code: 64, signal: null })
    expect(child.stderr()).toMatch(/^There is no command “sevre”\. Commands:\n {2}serve /)
  })
})

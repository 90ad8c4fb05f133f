// Facts about signing in to a started service in a browser: the link that it prints, the command that prints another one, and
// that both work over a real connection.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { killChildren, startChild } from '../support/child.ts'
import { newInstallation } from '../support/installation.ts'
import { type Serving, startServing } from '../support/serving.ts'

let folder: string
let settings: Record<string, string>
let drop = async (): Promise<void> => undefined
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'atelier-sign-in-'))
  ;({ settings, drop } = await newInstallation(folder))
})
afterEach(killChildren)
afterAll(async () => {
  await drop()
  await rm(folder, { recursive: true, force: true })
})

/** Opens a link and fetches a token as a browser would. Returns null if the link signs nobody in. */
async function signIn(serving: Serving, link: string): Promise<string | null> {
  const page = await (await fetch(link)).text()
  const [, code] = /name="code" value="([\w-]+)"/.exec(page) ?? []
  if (code === undefined) return null
  const form = { method: 'POST', body: new URLSearchParams({ code }), headers: { origin: serving.url } }
  const opened = await fetch(`${serving.url}/sign-in`, { ...form, redirect: 'manual' })
  const [cookie] = opened.headers.getSetCookie()
  if (cookie === undefined) return null
  expect([opened.status, opened.headers.get('location')]).toEqual([302, './'])
  const headers = { cookie: cookie.split(';', 1)[0] ?? '', origin: serving.url }
  const answer = await fetch(`${serving.url}/session/token`, { method: 'POST', headers })
  const body: { token: string } = JSON.parse(await answer.text())
  return body.token
}

async function command(...args: string[]): Promise<{ code: number | null; out: string; error: string }> {
  const run = startChild('server/src/main.ts', ['sign-in', ...args], settings)
  const { code } = await run.ended
  return { code, out: run.stdout(), error: run.stderr() }
}

test('a start prints a link that signs the owner in, once; `sign-in` prints others', async () => {
  const serving = await startServing(settings)
  const printed = await serving.link()
  expect(printed).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/sign-in\?code=[\w-]{43}$/)
  const token = await signIn(serving, printed)
  const { body } = await serving.ask('GET', '/api/v1/users/me', { token: token ?? '' })
  expect(body.data.user).toMatchObject({ name: 'Owner', role: 'admin' })
  expect(await signIn(serving, printed)).toBe(null)

  const another = await command()
  expect(another).toMatchObject({ code: 0, error: '' })
  expect(await signIn(serving, another.out.trim())).toMatch(/^ats_/)

  const made = await serving.ask('POST', '/api/v1/users', { token: serving.access, body: { name: 'Ada' } })
  const forAda = await command('--user', made.body.data.id)
  const ada = await signIn(serving, forAda.out.trim())
  expect((await serving.ask('GET', '/api/v1/users/me', { token: ada ?? '' })).body.data.name).toBe('Ada')
  expect(await command('--user', 'nobody')).toMatchObject({ code: 1, error: expect.stringContaining('user_id') })
  expect(await command('--help')).toMatchObject({ code: 0, out: expect.stringContaining('npm run sign-in') })
  serving.kill('SIGTERM')
  await serving.ended
  expect(serving.stdout() + serving.stderr()).not.toContain(token)
})

test('the next start prints another; with an issuer none', async () => {
  const serving = await startServing({ ...settings, PUBLIC_URL: 'https://atelier.example' })
  const printed = await serving.link()
  // The link uses the local address, because the public address may not reach this machine.
  expect(printed.startsWith(`${serving.url}/sign-in?code=`)).toBe(true)
  serving.kill('SIGTERM')
  await serving.ended

  const atIssuer = await startServing({
    ...settings,
    PUBLIC_URL: 'https://atelier.example',
    ATELIER_OAUTH_ISSUER: 'https://issuer.example',
    ATELIER_OAUTH_CLIENT_ID: 'atelier',
  })
  const [, way = ''] = await atIssuer.printed(/Sign in +(\S+)\n/)
  expect(way).toBe('https://atelier.example/sign-in')
  atIssuer.kill('SIGTERM')
  await atIssuer.ended
})

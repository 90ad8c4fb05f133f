// Facts about a first start with a provider key: the demo calls no provider, and its graph with an image model is not started.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import sharp from 'sharp'
import { afterEach, expect, onTestFinished, test } from 'vitest'
import { killChildren } from '../support/child.ts'
import { eventually } from '../support/eventually.ts'
import type { Body } from '../support/harness.ts'
import { newInstallation } from '../support/installation.ts'
import { json, startOutside } from '../support/outside.ts'
import { type Serving, startServing } from '../support/serving.ts'

afterEach(killChildren)

/** Creates an installation that was never started, and returns its settings. */
async function nothingYet(): Promise<Record<string, string>> {
  const folder = await mkdtemp(path.join(tmpdir(), 'atelier-demo-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const { settings, drop } = await newInstallation(folder)
  onTestFinished(drop)
  return settings
}

async function read(serving: Serving, address: string): Promise<Body> {
  const { status, body } = await serving.ask('GET', address, { token: serving.access })
  expect(status, address).toBe(200)
  return body.data
}

async function post(serving: Serving, address: string, given: unknown): Promise<Body> {
  const { status, body } = await serving.ask('POST', address, { token: serving.access, body: given })
  expect(status, `${address}: ${JSON.stringify(body)}`).toBeLessThan(300)
  return body.data
}

/** Waits until the run has this status, then returns the run. */
const runThat = (serving: Serving, id: string, status: string): Promise<Body> =>
  eventually(async () => {
    const run = await read(serving, `/api/v1/runs/${id}`)
    expect(run).toMatchObject({ status, error: null })
    return run
  })

test('with a key set, nothing is sent to the provider until a person starts the graph with the image model', {
  timeout: 400_000,
}, async () => {
  const picture = await sharp({ create: { width: 1024, height: 1536, channels: 3, background: '#24508c' } })
    .png()
    .toBuffer()
  const provider = await startOutside(json({ data: [{ b64_json: picture.toString('base64') }] }))
  const key = { OPENAI_BASE_URL: `${provider.url}/v1`, OPENAI_API_KEY: 'sk-demo', ATELIER_IMAGE_MODEL: 'painter' }
  const inApp = { ATELIER_PROVIDER_URLS: `compatible=${provider.url}/v1`, ATELIER_SECRETS_KEY: '5f'.repeat(32) }
  const settings = { ...(await nothingYet()), ATELIER_DEMO: 'true', ...key, ...inApp }
  const serving = await startServing(settings)

  const id = await eventually(async () => {
    const { items } = await read(serving, '/api/v1/runs')
    expect(items).toMatchObject([{ status: 'awaiting_input' }])
    return items[0].id
  })
  const run = await runThat(serving, id, 'awaiting_input')
  expect(run.nodes.pick.checkpoint.request.options).toHaveLength(4)
  expect(provider.seen).toEqual([])
  // A comment on the card offers the model, and says that its price is unknown.
  const { items: said } = await read(serving, `/api/v1/tasks/${run.task_id}/comments`)
  expect(said.map(({ text }: Body) => text).join()).toMatch(/Static ads with your image model.*painter: price unknown/)

  const { items } = await read(serving, '/api/v1/graphs?template=true')
  const template = items.find(({ name }: Body) => name === 'Static ads with your image model')
  const fork = await post(serving, `/api/v1/graphs/${template.id}/fork`, {})
  expect(provider.seen).toEqual([])
  const started = await post(serving, `/api/v1/graphs/${fork.id}/runs`, { task_id: run.task_id, execute: true })
  const painted = await runThat(serving, started.id, 'awaiting_input')
  expect(painted.nodes.pick.checkpoint.request.options).toHaveLength(4)
  expect(provider.seen.map(({ path: asked, body }) => [asked, JSON.parse(body).model])).toEqual(
    Array.from({ length: 4 }, () => ['/v1/images/generations', 'painter']),
  )

  // A key that an admin enters in the app causes no provider call either, nor does a restart with that key.
  await post(serving, '/api/v1/providers/compatible/key', { key: 'sk-in-the-app' })
  serving.kill('SIGTERM')
  await serving.ended
  const again = { ...(await startServing(settings)), access: serving.access }
  for (const { id } of [run, painted]) await runThat(again, id, 'awaiting_input')
  const { items: providers } = await read(again, '/api/v1/providers')
  expect(providers).toContainEqual(expect.objectContaining({ name: 'compatible', source: 'app' }))
  expect(provider.seen).toHaveLength(4)
})

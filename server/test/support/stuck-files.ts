// In charge of files that block every reader, and of runs that read files, for tests about stopping the service.
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import path from 'node:path'
import { expect } from 'vitest'
import { definitionOf } from './definitions.ts'
import { eventually } from './eventually.ts'
import type { Serving } from './serving.ts'

/** The owner's token; tests start their service with this value of `ATELIER_OWNER_TOKEN`. */
export const token = `given-by-the-operator-${'x'.repeat(20)}`
export const bearer = { authorization: `Bearer ${token}` }

export async function upload(serving: Serving, bytes: string, type: string): Promise<string> {
  const headers = { ...bearer, 'content-type': type }
  const answer = await fetch(`${serving.url}/api/v1/files`, { method: 'POST', headers, body: bytes })
  expect(answer.status).toBe(200)
  const body: { data: { digest: string } } = JSON.parse(await answer.text())
  return body.data.digest
}

/** Starts a run that resizes the file. */
export async function resizing(serving: Serving, digest: string): Promise<string> {
  const image = { digest, media_type: 'image/svg+xml', size: 100, name: 'art.svg' }
  const params = { placements: ['2000x2000'] }
  const definition = definitionOf({ cut: { type: 'image.resize', params, inputs: { image } } })
  const graph = await serving.ask('POST', '/api/v1/graphs', { token, body: { name: 'Art', definition } })
  const runs = `/api/v1/graphs/${graph.body.data.id}/runs`
  const run = await serving.ask('POST', runs, { token, body: { execute: true } })
  expect(run.status, JSON.stringify(run.body)).toBe(200)
  return run.body.data.id
}

/** Stores a file that can be opened but never returns a byte, as on a disk that does not respond. */
export async function neverRead(serving: Serving, settings: Record<string, string>, content: string): Promise<string> {
  const digest = await upload(serving, content, 'text/plain')
  const files = path.join(settings.ATELIER_DATA_DIR ?? '', 'files')
  const place = path.join(files, digest.slice(0, 2), digest.slice(2, 4), digest)
  await rm(place)
  execFileSync('mkfifo', [place])
  return digest
}

/** Waits until the kernel reports that this many threads of a process wait for a file that `neverRead` made. */
export async function hangingThreads(pid: number, count: number): Promise<void> {
  const tasks = `/proc/${pid}/task`
  const waits = () => readdirSync(tasks).map((task) => readFileSync(path.join(tasks, task, 'wchan'), 'utf8'))
  await eventually(() => expect(waits().filter((at) => at === 'wait_for_partner')).toHaveLength(count))
}

// In charge of watching a service in tests: the changes that its event stream has sent, and which of them came after a `fence`.
import { expect } from 'vitest'
import type { Service } from './harness.ts'

export type Watch = { seen: string[]; text: () => string; ended: Promise<void>; close(): void }

/** Opens the event stream of a service; `seen` are the changes received so far, as `kind/id`. `ageMs`: the parameter `age_ms`. */
export async function watchEvents(url: string, token: string, ageMs?: number): Promise<Watch> {
  const hangUp = new AbortController()
  const headers = { authorization: `Bearer ${token}` }
  const query = ageMs === undefined ? '' : `?age_ms=${ageMs}`
  const answer = await fetch(`${url}/api/v1/events${query}`, { headers, signal: hangUp.signal })
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-type')).toContain('text/event-stream')
  const seen: string[] = []
  let text = ''
  const read = async (): Promise<void> => {
    for await (const chunk of answer.body ?? []) {
      text += Buffer.from(chunk).toString()
      const changed = [...text.matchAll(/event: (?:changed|noticed|[a-z]+_changed)\ndata: (.*)\n\n/g)].flatMap(
        ([, data]) => JSON.parse(data ?? '').changes,
      )
      seen.splice(0, seen.length, ...changed.map(({ kind, id }: { kind: string; id: string }) => `${kind}/${id}`))
    }
  }
  return { seen, text: () => text, ended: read().catch(() => undefined), close: () => hangUp.abort() }
}

let fences = 0

/** Waits until all watchers have received every earlier change. The returned function lists what each has received since then. */
export async function fence(service: Service, watching: readonly Watch[]): Promise<() => string[][]> {
  const { data } = await service.post('/api/v1/products', { name: `Fence ${++fences} ${service.owner.id}` })
  for (const { seen } of watching) await expect.poll(() => seen).toContain(`product/${data.id}`)
  const marks = watching.map(({ seen }) => seen.lastIndexOf(`product/${data.id}`))
  return () => watching.map(({ seen }, at) => seen.slice((marks[at] ?? 0) + 1))
}

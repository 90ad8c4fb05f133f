// In charge of the provider that the chaos test pays: an HTTP server that logs each paid request and how often it charged for it.
import { createServer, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'

/**
 * `unit`: the idempotency key, which is the id of the ledger entry. `once`: whether requests with the same `unit` are charged once,
 * as with the header `Idempotency-Key` of real providers; otherwise every request is charged.
 */
export type Asked = { unit: string; prompt: string; seed: string; by: string; once: boolean; free: boolean }
/** How often the provider charged for one `Asked.unit`, and its requests: from which worker, at which time (in ms since 1970). */
export type UnitLog = { charges: number; asked: { by: string; at: number }[] }

export type ChaosProvider = {
  url: string
  /** The log for each `Asked.unit`; requests with `free` are not logged. */
  units: ReadonlyMap<string, UnitLog>
  requests(): number
  /** After this call the provider responds without delay. */
  calm(): void
  close(): Promise<void>
}

/** The price of one paid call, in credits. */
export const price = 2

export async function startProvider(): Promise<ChaosProvider> {
  const units = new Map<string, UnitLog>()
  const jobs = new Map<string, { end: number; text: string }>()
  let requests = 0
  let isCalm = false

  const call = async (asked: Asked, answer: ServerResponse): Promise<void> => {
    const told = `${asked.prompt} #${asked.seed.slice(0, 6)}`
    await wait(isCalm ? 0 : asked.prompt.includes('slow') ? 250 + (told.length % 5) * 120 : told.length % 15)
    tell(answer, 200, { text: told })
  }
  const paidCall = async (asked: Asked, answer: ServerResponse): Promise<void> => {
    const unit = units.get(asked.unit) ?? { charges: 0, asked: [] }
    units.set(asked.unit, unit)
    unit.asked.push({ by: asked.by, at: Date.now() })
    const isFirst = unit.asked.length === 1
    const says = (word: string) => asked.prompt.includes(word)
    if (says('refused')) return tell(answer, 400, { error: 'It does not like this prompt.' })
    if (says('limited') && isFirst) return tell(answer, 429, { error: 'Too many.' })
    unit.charges = asked.once ? 1 : unit.charges + 1
    if (says('dropped') && isFirst) return void answer.socket?.destroy()
    if (!says('job')) return call(asked, answer)
    jobs.set(asked.unit, { end: Date.now() + (isCalm ? 0 : 400), text: `${asked.prompt} #${asked.seed.slice(0, 6)}` })
    tell(answer, 200, { job: asked.unit })
  }
  const server = createServer((request, answer) => {
    requests += 1
    const job = jobs.get(request.url?.split('/jobs/')[1] ?? '')
    if (job) return tell(answer, 200, { text: Date.now() < job.end ? null : job.text })
    void text(request).then((body) => {
      const asked: Asked = JSON.parse(body)
      return asked.free ? call(asked, answer) : paidCall(asked, answer)
    })
  })
  server.listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The provider has no port.')
  return {
    url: `http://127.0.0.1:${address.port}`,
    units,
    requests: () => requests,
    calm: () => {
      isCalm = true
    },
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function tell(answer: ServerResponse, status: number, body: object): void {
  answer.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

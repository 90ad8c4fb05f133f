// In charge of the simulated users of the chaos test: they start runs, answer gates at any moment, cancel, re-roll, and repeat
// requests during outages.
import { setTimeout as wait } from 'node:timers/promises'
import { answerTo, chaosGraphs } from './graphs.ts'

export type Asking = (
  method: 'GET' | 'POST',
  path: string,
  body?: unknown,
) => Promise<{ status: number; code: string; data: unknown; text: string }>

type Tally = Record<string, number>

export type Players = {
  /** How many actions of each kind the players have performed. */
  did: Tally
  /** Responses other than 200, 409 and 503: none of them may occur. */
  unexpected: string[]
  /** Starts a run and waits until the run ends; meanwhile answers its gates, cancels it or re-rolls nodes at random. */
  play(number: number): Promise<void>
  /** Answers every open question of a run; returns false if no question was open. */
  answerAll(id: string): Promise<boolean>
  ask: Asking
}

/** `send` sends one request; once `alive` returns false, the players stop waiting for their runs. */
export function createPlayers(send: Asking, random: () => number, alive: () => boolean): Players {
  const did: Tally = {}
  const unexpected: string[] = []
  const graphs = new Map<string, Promise<string>>()
  const count = (what: string): void => {
    did[what] = (did[what] ?? 0) + 1
  }

  /** Repeats a request while the service returns 503; notes every response that is neither 200 nor 409 in `unexpected`. */
  const ask: Asking = async (method, path, body) => {
    for (;;) {
      const answer = await send(method, path, body)
      if (answer.status === 503) {
        count('503, asked again')
        await wait(60)
        continue
      }
      if (![200, 409].includes(answer.status)) unexpected.push(`${method} ${path}: ${answer.text.slice(0, 400)}`)
      return answer
    }
  }
  const graphOf = (kind: string, tag: string): Promise<string> => {
    const known = graphs.get(`${kind} ${tag}`)
    if (known) return known
    const made = ask('POST', '/graphs', { name: `${kind} ${tag}`, definition: chaosGraphs[kind]?.(tag) })
    const id = made.then(({ data }) => String(memberOf(data, 'id')))
    graphs.set(`${kind} ${tag}`, id)
    return id
  }
  const answerAll = async (id: string): Promise<boolean> => {
    const { data } = await ask('GET', `/runs/${id}`)
    const questions = questionsOf(data)
    const answers = questions.map(async ({ node_id, item, request }) => {
      count('answer')
      const { status } = await ask('POST', `/runs/${id}/answers`, { node_id, item, answer: answerTo(request) })
      if (status === 409) count('answer that came too late')
    })
    await Promise.all(answers)
    return questions.length > 0
  }

  /** Re-rolls the node or, at random, its item 0. If item 0 is drawn and does not exist, starts the run without a re-roll. */
  const reroll = async (id: string, run: unknown, node: string): Promise<void> => {
    const item = random() < 0.3 ? null : 0
    const known = memberOf(memberOf(memberOf(memberOf(run, 'nodes'), node), 'items'), '0') !== undefined
    const regenerate = item === null || known ? [{ node_id: node, item }] : []
    const { status } = await ask('POST', `/runs/${id}/start`, { regenerate })
    count(status === 200 ? 're-roll' : 're-roll, refused')
  }
  const watch = async (id: string, rolled: string | undefined): Promise<void> => {
    for (let rolls = 0; alive(); await wait(30 + random() * 60)) {
      const { data } = await ask('GET', `/runs/${id}`)
      const status = String(memberOf(data, 'status'))
      if (random() < 0.7) await answerAll(id)
      if (random() < 0.0015) {
        count('cancel')
        await ask('POST', `/runs/${id}/cancel`)
      }
      if (rolled && !busy.has(status) && rolls < 2 && random() < 0.15) {
        rolls += 1
        await reroll(id, data, rolled)
      } else if (over.has(status)) return
    }
  }

  return {
    did,
    unexpected,
    ask,
    answerAll,
    async play(number) {
      const kinds = Object.keys(chaosGraphs)
      const kind = kinds[number % kinds.length] ?? ''
      const tag = random() < 0.5 ? `own ${number} ${number % 2 === 0 ? 'even' : 'odd'}` : `shared ${number % 3} even`
      const made = await ask('POST', `/graphs/${await graphOf(kind, tag)}/runs`, { execute: true })
      count('run')
      await watch(String(memberOf(made.data, 'id')), rolledNodes[kind])
    },
  }
}

const busy = new Set(['queued', 'running'])
const over = new Set(['succeeded', 'failed', 'cancelled'])
/** Kind of graph → the node that users re-roll in it. */
const rolledNodes: Record<string, string> = { chain: 'b', fan: 'copy', gate: 'copy', items: 'edit', jobs: 'job' }

type Question = { node_id: string; item: number | null; request: Record<string, unknown> }

/** Every open question in the API's response for a run; a run that is still being executed can have open questions too. */
function questionsOf(run: unknown): Question[] {
  return membersOf(memberOf(run, 'nodes')).flatMap(([node_id, node]) => {
    const items = membersOf(memberOf(node, 'items'))
    const states: [number | null, unknown][] =
      items.length > 0 ? items.map(([index, state]) => [Number(index), state]) : [[null, node]]
    return states.flatMap(([item, state]): Question[] => {
      const request = memberOf(memberOf(state, 'checkpoint'), 'request')
      const isOpen = memberOf(state, 'status') === 'awaiting_input'
      return isOpen && typeof request === 'object' && request !== null
        ? [{ node_id, item, request: { ...request } }]
        : []
    })
  })
}

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
const membersOf = (value: unknown): [string, unknown][] =>
  typeof value === 'object' && value !== null ? Object.entries(value) : []

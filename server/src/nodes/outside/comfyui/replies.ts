// In charge of reading ComfyUI's replies: the state of a job, where its files are, and error messages. Pure.
import { isPlainObject } from '@atelier/contract/graph/definition.ts'
import { plainText } from '../send.ts'

/** The place of a job's output file at ComfyUI. The members have the same names as in ComfyUI's replies. */
export type Place = { filename: string; subfolder: string; type: string }

/**
 * `absent`: the job is neither in the queue nor in the history. `ahead`: how many jobs come before it. `seconds`: how long ComfyUI
 * worked on the job by its own clock, as it says; null if it does not say.
 */
export type Standing =
  | { is: 'absent' }
  | { is: 'waiting'; ahead: number }
  | { is: 'running' }
  | { is: 'done'; places: Place[]; seconds: number | null }
  | { is: 'failed'; why: string }

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])
const membersOf = (value: unknown): Record<string, unknown> => (isPlainObject(value) ? value : {})
const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? plainText(String(value), 300) : ''

/** Reads a job's state from the reply to `GET /queue`: each job is a list whose first two elements are its number and its id. */
export function standingInQueue(reply: unknown, id: string): Standing {
  const { queue_running: running, queue_pending: pending } = membersOf(reply)
  if (listOf(running).some((job) => listOf(job)[1] === id)) return { is: 'running' }
  const own = listOf(pending).find((job) => listOf(job)[1] === id)
  if (own === undefined) return { is: 'absent' }
  const numberOf = (job: unknown): number => Number(listOf(job)[0])
  const before = listOf(pending).filter((job) => numberOf(job) < numberOf(own))
  return { is: 'waiting', ahead: before.length + listOf(running).length }
}

/** Reads a job's state from the reply to `GET /history/{id}`, which is empty if the job is unfinished or unknown. */
export function standingInHistory(reply: unknown, id: string): Standing {
  const entry = membersOf(reply)[id]
  if (!isPlainObject(entry)) return { is: 'absent' }
  const { status_str: status, messages } = membersOf(entry.status)
  const said = listOf(messages).map((message) => {
    const [kind, about] = listOf(message)
    return { kind, about: membersOf(about) }
  })
  const error = said.find(({ kind }) => kind === 'execution_error')?.about
  if (error) return { is: 'failed', why: `it says that ${nodeWords(error)} failed: ${textOf(error.exception_message)}` }
  if (said.some(({ kind }) => kind === 'execution_interrupted'))
    return { is: 'failed', why: 'the job was stopped there.' }
  if (status === 'error') return { is: 'failed', why: 'it says that the job failed.' }
  const [began, ended] = ['execution_start', 'execution_success'].map((wanted) =>
    Number(said.find(({ kind }) => kind === wanted)?.about.timestamp),
  )
  const ms = (ended ?? Number.NaN) - (began ?? Number.NaN)
  return { is: 'done', places: placesIn(entry.outputs), seconds: ms >= 0 ? Math.round(ms / 100) / 10 : null }
}

/** All files in the outputs of all nodes, whatever member lists them. Previews are used only if there are no other files. */
function placesIn(outputs: unknown): Place[] {
  const all = Object.values(membersOf(outputs)).flatMap((made) =>
    Object.values(membersOf(made)).flatMap((list) => listOf(list).flatMap((one) => placeOf(one))),
  )
  const kept = all.filter(({ type }) => type === 'output')
  return kept.length > 0 ? kept : all.filter(({ type }) => type === 'temp')
}

function placeOf(raw: unknown): Place[] {
  const { filename, subfolder, type } = membersOf(raw)
  if (typeof filename !== 'string' || typeof type !== 'string') return []
  return [{ filename, subfolder: typeof subfolder === 'string' ? subfolder : '', type }]
}

const nodeWords = ({ node_id: id, node_type: type }: Record<string, unknown>): string =>
  `node ${textOf(id) || '?'}${textOf(type) === '' ? '' : ` (${textOf(type)})`}`

/** The errors that a reply reports for a workflow: up to five errors of nodes, else the general error; empty if there is none. */
export function faultsIn(reply: unknown): string {
  const { error, node_errors: byNode } = membersOf(reply)
  const faults = Object.entries(membersOf(byNode)).flatMap(([id, node]) => {
    const { errors, class_type: type } = membersOf(node)
    return listOf(errors).map((one) => `${nodeWords({ node_id: id, node_type: type })}: ${faultWords(one)}`)
  })
  const words = faults.length > 0 ? faults.slice(0, 5) : [faultWords(error)].filter(Boolean)
  return plainText(words.join('; '), 1000)
}

function faultWords(raw: unknown): string {
  const { message, details } = membersOf(raw)
  const [said, more] = [textOf(message) || textOf(raw), textOf(details)]
  return more === '' ? said : `${said} (${more})`
}

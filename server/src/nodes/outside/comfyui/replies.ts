// In charge of what ComfyUI answers: how a job stands, where its files are, and what it says is wrong, in words. Pure.
import { isPlainObject } from '@atelier/contract/graph/definition.ts'
import { plainText } from '../send.ts'

/** A file that it has made, as it names them. */
export type Place = { filename: string; subfolder: string; type: string }

/** `absent`: neither in its queue nor in its history. `seconds`: how long it worked on it; null where it does not say. */
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

/** By `GET /queue`: jobs are lists that begin with their number in line and their id. */
export function standingInQueue(reply: unknown, id: string): Standing {
  const { queue_running: running, queue_pending: pending } = membersOf(reply)
  if (listOf(running).some((job) => listOf(job)[1] === id)) return { is: 'running' }
  const own = listOf(pending).find((job) => listOf(job)[1] === id)
  if (own === undefined) return { is: 'absent' }
  const numberOf = (job: unknown): number => Number(listOf(job)[0])
  const before = listOf(pending).filter((job) => numberOf(job) < numberOf(own))
  return { is: 'waiting', ahead: before.length + listOf(running).length }
}

/** By `GET /history/{id}`, which is empty both for jobs that are not done and for those it does not know. */
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

/** Every file that the nodes name, under whatever heading; previews count where nothing else was made. */
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

/** What it says is wrong with a workflow, node by node; empty where it says nothing that is known. */
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

// In charge of finding out what the Undo of a move may start, for the message that offers it.
import type { QueryClient } from '@tanstack/react-query'
import { automationsQuery, schemaQuery } from '../lib/queries.ts'
import { startsAgainWords } from './undone-words.ts'

/** A read that fails at once where the service cannot be reached, instead of waiting for the network. */
const atOnce = { retry: false, networkMode: 'always' } as const

/** Reads the automations for `undoStarts`, unless they are known. Never fails: without them, the message does not say it. */
export const readAutomations = (client: QueryClient): Promise<void> =>
  client.prefetchQuery({ ...automationsQuery, ...atOnce, staleTime: 60_000 })

/** The end of the message about a move from these columns, once the automations are read. */
export const undoStarts = (client: QueryClient, from: ReadonlySet<string>): string =>
  startsAgainWords(from, client.getQueryData(automationsQuery.queryKey) ?? [], (status) => labelOf(client, status))

/** The same, for a move of one task from this column; reads the automations meanwhile. */
export async function readUndoStarts(client: QueryClient, from: string): Promise<string> {
  await readAutomations(client)
  return undoStarts(client, new Set([from]))
}

/** What users call a column. */
export const labelOf = (client: QueryClient, status: string): string =>
  client.getQueryData(schemaQuery.queryKey)?.statuses.find(({ value }) => value === status)?.label ?? status

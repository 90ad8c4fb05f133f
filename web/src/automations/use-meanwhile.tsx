// In charge of what another admin saves while an automation is edited: the form shows it where nothing was changed here, and a note
// where something was, which would replace theirs.
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { useFilterFields } from '../board/use-filter-fields.ts'
import { schemaQuery } from '../lib/queries.ts'
import { OvertakenNote } from '../ui/overtaken-note.tsx'
import { followedMembers, type Member, type Members, overtakenMembers, rebasedOn, withIts } from './changed-members.ts'
import { outputWords } from './file-outputs.ts'
import { ruleWords } from './rule-words.ts'
import { useOutputs } from './use-outputs.ts'

/** For each member, makes the form show a value. */
type Show = { [M in Member]: (value: Members[M]) => void }
/**
 * `saved`: what is saved now; null in a new automation. `mine`: what the form would send. `isSaving`: what is saved may be what was
 * sent, so no notes are shown.
 */
type Given = { saved: Members | null; mine: Members; show: Show; isSaving: boolean }

export function useMeanwhile({ saved, mine, show, isSaving }: Given) {
  /** What the form began with; a member of it is what another admin saved, once the user has seen that. */
  const [before, setBefore] = useState(saved ?? mine)
  const now = saved ?? before
  const put = <M extends Member>(name: M) => show[name](now[name])
  const key = JSON.stringify(saved)
  useEffect(() => {
    const followed = followedMembers(before, mine, now)
    if (isSaving || followed.length === 0) return
    setBefore(rebasedOn(before, now, followed))
    followed.forEach(put)
    // oxlint-disable-next-line -- follows what is saved, and not what is typed
  }, [key, isSaving])
  const wordsOf = useTheirWords(now)
  const overtaken = saved === null || isSaving ? [] : overtakenMembers(before, mine, now)
  const noteOf = (name: Member): ReactNode => {
    if (!overtaken.includes(name)) return null
    const names = withIts(name, before, mine)
    const rebase = () => setBefore(rebasedOn(before, now, names))
    return (
      <OvertakenNote
        theirs={wordsOf(name)}
        useMine={rebase}
        takeTheirs={() => {
          rebase()
          names.forEach(put)
        }}
      />
    )
  }
  return { before, noteOf, isHeld: overtaken.length > 0 }
}

/** Puts a note right below a field, before what the service says of it. */
export const withNote = (note: ReactNode) => (input: ReactNode) => (
  <>
    {input}
    {note}
  </>
)

/** Returns a function that says what is saved in a member. */
function useTheirWords(now: Members): (name: Member) => string {
  const statuses = useQuery(schemaQuery).data?.statuses ?? []
  const fields = useFilterFields() ?? []
  const graph = useOutputs(now.graph_id === '' ? null : now.graph_id)
  const labelOf = (status: string) => statuses.find(({ value }) => value === status)?.label ?? status
  const outputs = () => now.outputs.map((output) => outputWords(output, graph.outputs ?? [])).join(', ')
  const words: Record<Member, () => string> = {
    name: () => now.name,
    on_status: () => labelOf(now.on_status),
    query: () => ruleWords(now.query, fields) || 'No conditions: every task that enters',
    graph_id: () => `${graph.name ?? 'A graph'}${now.outputs.length === 0 ? '' : `, of it ${outputs()}`}`,
    targets: () => now.targets.join(', ') || 'The whole graph',
    outputs: () => outputs() || 'Nothing',
    to_status: () => (now.to_status === null ? 'It stays where it is' : labelOf(now.to_status)),
  }
  return (name) => words[name]()
}

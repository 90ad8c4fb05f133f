// In charge of the rows among which the user chooses a run to compare with: what tells runs of one graph apart, and how rows are
// found. Pure.
import { creditWords } from '../canvas/words.ts'
import { fullWords } from '../lib/dates.ts'
import type { RunCard } from './queries.ts'
import { taskOf } from './task-of-run.ts'

export type Choice = { id: string; status: RunCard['status']; title: string; facts: string }

export type Compared = Pick<
  RunCard,
  'id' | 'status' | 'created_at' | 'credits_total' | 'generation' | 'owner_id' | 'task_id' | 'pinned_task_id'
>
/** The names of what the runs refer to; undefined while a name is not known. */
type Names = {
  task: (id: string) => { number: number | null; name: string } | undefined
  owner: (id: string) => string | undefined
}

export function choiceOf(run: Compared, names: Names): Choice {
  const taskId = taskOf(run)
  const task = taskId === null ? undefined : names.task(taskId)
  return {
    id: run.id,
    status: run.status,
    title: task ? `#${task.number} ${task.name}` : taskId === null ? 'Without a task' : 'A task',
    facts: [
      fullWords(run.created_at),
      names.owner(run.owner_id) ?? 'Unknown person',
      `generation ${run.generation}`,
      creditWords(run.credits_total),
      run.id.slice(-8),
    ].join(' · '),
  }
}

/** The choices that have each word of the search somewhere in what they show. */
export function choicesLike(choices: readonly Choice[], search: string): Choice[] {
  const words = search.toLowerCase().split(/\s+/)
  return choices.filter(({ title, facts }) => {
    const shown = `${title} ${facts}`.toLowerCase()
    return words.every((word) => shown.includes(word))
  })
}

export type Age = 'older' | 'newer'
type Begun = Pick<Compared, 'id' | 'created_at'>

/** Which of two runs `run` is. Of two that were made at the same moment, the one with the smaller id was made first. */
export function ageOf(run: Begun, other: Begun): Age {
  const passed = Date.parse(run.created_at) - Date.parse(other.created_at)
  return passed < 0 || (passed === 0 && run.id < other.id) ? 'older' : 'newer'
}

/** The title of the page that compares two runs. `other`: undefined while it is not known. */
export function comparedTitle(graph: string, run: Begun, other: Begun | undefined): string {
  const times = other ? `, ${fullWords(run.created_at)} and ${fullWords(other.created_at)}` : ''
  return `Two runs compared: ${graph}${times}`
}

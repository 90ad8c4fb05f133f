// In charge of the steps of the command palette: the question that each step asks, and the message if no entry matches. Pure.

export type Action = 'move' | 'assign' | 'run'
/** What can be done with several selected cards at once in two steps. */
export type ManyAction = 'move' | 'assign' | 'priority'
/** The task that an action changes, or for which it runs a graph; `number` is null for a task that has no number. */
export type Subject = { id: string; name: string; number: number | null }
/**
 * `name`: the user types the name of a new task; `template`: the user selects the template of a new task; `task`: the user selects
 * the task for an action; `value`: the user selects a column, an assignee or a graph for that task; `many`: the user selects a column,
 * an assignee or a priority for the `count` selected cards.
 */
export type Step =
  | { kind: 'first' }
  | { kind: 'name' }
  | { kind: 'template' }
  | { kind: 'task'; action: Action }
  | { kind: 'value'; action: Action; subject: Subject }
  | { kind: 'many'; action: ManyAction; count: number }

export const titleOf = ({ name, number }: Pick<Subject, 'name' | 'number'>): string =>
  number === null ? name : `#${number} ${name}`

const asks = {
  first: 'Go to a task, graph, run, creative or campaign id, or do something',
  name: 'What is the new task called?',
  template: 'From which template?',
  task: 'Which task? Its name or number',
  move: 'To which column?',
  assign: 'To whom?',
  run: 'Which graph?',
  priority: 'Which priority?',
} as const
export const questionOf = (step: Step): string =>
  step.kind === 'value' || step.kind === 'many' ? asks[step.action] : asks[step.kind]

export const nothingOf = (step: Step): string => (step.kind === 'name' ? 'Type its name, then Enter.' : 'Nothing fits.')

const verbs = { move: 'Move', assign: 'Assign', run: 'Run a graph for', priority: 'Set the priority of' } as const

export const manyWords = (count: number): string => (count === 1 ? '1 card' : `${count} cards`)

/** The words that show what the user has selected in earlier steps; null at the first step. */
export function chosenOf(step: Step): string | null {
  switch (step.kind) {
    case 'first':
      return null
    case 'name':
    case 'template':
      return 'New task'
    case 'task':
      return verbs[step.action]
    case 'value':
      return `${verbs[step.action]} ${step.subject.number === null ? 'it' : `#${step.subject.number}`}`
    case 'many':
      return `${verbs[step.action]} ${manyWords(step.count)}`
  }
}

// In charge of the entries of the command palette for several selected cards of the board. Pure except for the actions.
import type { TaskStatus } from '@atelier/contract/enums.ts'
import { type ManyActs, priorities } from '../board/many-acts.ts'
import { namedApart } from '../lib/apart.ts'
import type { Person } from '../lib/types.ts'
import type { Entry, Group } from './entries.ts'
import { type ManyAction, manyWords, type Step } from './steps.ts'

const doing = [
  { action: 'move', icon: 'move', verb: 'Move', rest: 'to …' },
  { action: 'assign', icon: 'people', verb: 'Assign', rest: 'to …' },
  { action: 'priority', icon: 'flag', verb: 'Set the priority of', rest: '…' },
] as const

/** The group for the selected cards, first of all others, since they were selected for something; none if `many` is null. */
export function manyGroups(many: ManyActs | null, goOn: (step: Step) => void): Group[] {
  if (many === null) return []
  const what = manyWords(many.count)
  const leading = doing.map(
    ({ action, icon, verb, rest }): Entry => ({
      key: `many ${action}`,
      icon,
      title: `${verb} ${what} ${rest}`,
      leadsOn: true,
      act: () => goOn({ kind: 'many', action, count: many.count }),
    }),
  )
  const removal: Entry = { key: 'many delete', icon: 'trash', title: `Delete ${what}`, act: many.remove }
  return [{ title: `${what}, selected`, entries: [...leading, removal] }]
}

type Choices = { statuses: readonly { value: TaskStatus; label: string }[]; people: readonly Person[] }

/** The entries from which a user chooses the column, the person or the priority for the selected cards. */
export function manyValues(action: ManyAction, many: ManyActs, { statuses, people }: Choices): Entry[] {
  switch (action) {
    case 'move':
      return statuses.map(({ value, label }) => ({
        key: value,
        icon: 'move',
        title: label,
        act: () => many.move(value),
      }))
    case 'assign':
      return assignees(people).map(({ id, name }) => ({
        key: `person ${id}`,
        icon: 'people',
        title: name,
        act: () => many.assign(id, name),
      }))
    case 'priority':
      return [...priorities, null].map((priority) => ({
        key: `priority ${priority}`,
        icon: 'flag',
        title: priority === null ? 'None' : `P${priority}`,
        act: () => many.setPriority(priority),
      }))
  }
}

/** To whom tasks can be assigned: people who may sign in, told apart by more than their name where that is needed, and nobody. */
export const assignees = (people: readonly Person[]): readonly { id: string | null; name: string }[] => [
  ...namedApart(people.filter(({ active }) => active)),
  { id: null, name: 'Nobody' },
]

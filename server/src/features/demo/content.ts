// In charge of the content of the demo workspace: the users, products and tasks of a small creative team.

import { archivedTasks } from './content-archived.ts'
import { checkedTasks } from './content-checks.ts'
import { deletedTasks } from './content-deleted.ts'
import { launchedTasks } from './content-launched.ts'
import { todoTasks } from './content-todo.ts'
import { workingTasks } from './content-working.ts'
import type { DemoTask, PersonKey, ProductKey } from './story.ts'

/** The demo's users, all of them invented. None of them is an admin; the only admin is the person who started the workspace. */
export const demoPeople: Record<PersonKey, { name: string; email: string }> = {
  maren: { name: 'Maren Oduya', email: 'maren.oduya@example.com' }, // strategist
  ilse: { name: 'Ilse Brandvik', email: 'ilse.brandvik@example.com' }, // designer
  teo: { name: 'Teo Vasquelle', email: 'teo.vasquelle@example.com' }, // designer
  kofi: { name: 'Kofi Larrimer', email: 'kofi.larrimer@example.com' }, // editor
  priya: { name: 'Priya Ostrander', email: 'priya.ostrander@example.com' }, // media buyer
}

export const demoProducts: Record<ProductKey, { name: string; code: string }> = {
  quiltern: { name: 'Quiltern', code: 'QTN' },
  tuckerfen: { name: 'Tuckerfen', code: 'TKF' },
  verbanook: { name: 'Verbanook', code: 'VBN' },
}

export const demoTasks: readonly DemoTask[] = [
  ...todoTasks,
  ...workingTasks,
  ...checkedTasks,
  ...launchedTasks,
  ...archivedTasks,
  ...deletedTasks,
]

// In charge of the wire shapes of task templates, which are saved briefs for creating tasks of the same kind.
import Type from 'typebox'
import { longestTemplateName } from './task-limits.ts'
import { TaskBrief } from './tasks.ts'
import { Closed, DateTime, Id, Line } from './wire/schema.ts'
import { Author } from './workspace.ts'

const headMembers = {
  id: Id(),
  name: Type.String(),
  by: Author,
  created_at: DateTime(),
  updated_at: DateTime(),
}

export const TaskTemplateHead = Closed(headMembers, {
  $id: 'TaskTemplateHead',
  description: 'A task template as the list has it, without its brief.',
})
export const TaskTemplate = Closed(
  { ...headMembers, brief: TaskBrief },
  { $id: 'TaskTemplate', description: 'A brief that is kept under a name. `by`: whoever made it.' },
)

const name = Line(longestTemplateName, { description: 'Unique among templates.' })
export const TaskTemplateCreate = Closed({ name, brief: TaskBrief }, { $id: 'TaskTemplateCreate' })
export const TaskTemplatePatch = Closed(
  { name: Type.Optional(name), brief: Type.Optional(TaskBrief) },
  { $id: 'TaskTemplatePatch', description: 'Members left out stay as they are; a brief is replaced as a whole.' },
)

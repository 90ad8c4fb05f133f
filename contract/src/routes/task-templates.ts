// In charge of the routes for task templates.
import { examplePage } from '../examples/examples.ts'
import { templateExamples } from '../examples/template-examples.ts'
import { TaskTemplate, TaskTemplateCreate, TaskTemplateHead, TaskTemplatePatch } from '../task-templates.ts'
import { Page } from '../wire/envelope.ts'
import { Closed, Id } from '../wire/schema.ts'
import { listQuery, route } from './building.ts'
import type { Route } from './route.ts'

const templateId = Closed({ template_id: Id({ description: 'Template id.' }) })

export const taskTemplatesRoutes = {
  listTaskTemplates: route({
    id: 'listTaskTemplates',
    method: 'GET',
    path: '/api/v1/task-templates',
    tag: 'Tasks',
    summary: 'Task templates',
    description: 'By name, without their briefs.',
    access: 'read',
    query: listQuery,
    data: Page(TaskTemplateHead),
    examples: { data: examplePage(templateExamples.head) },
  }),
  getTaskTemplate: route({
    id: 'getTaskTemplate',
    method: 'GET',
    path: '/api/v1/task-templates/{template_id}',
    tag: 'Tasks',
    summary: 'A task template with its brief',
    description: 'The brief with a `name` is a body of `POST /tasks`.',
    access: 'read',
    params: templateId,
    data: TaskTemplate,
    examples: { data: templateExamples.template },
  }),
  createTaskTemplate: route({
    id: 'createTaskTemplate',
    method: 'POST',
    path: '/api/v1/task-templates',
    tag: 'Tasks',
    summary: 'Keep a brief as a template',
    description:
      'The brief is checked as that of a task is: what it refers to has to be there, its variants have to differ.',
    access: 'tasks:write',
    body: TaskTemplateCreate,
    data: TaskTemplate,
    refuses: ['template_exists'],
    idempotent: true,
    examples: {
      body: { name: templateExamples.head.name, brief: templateExamples.brief },
      data: templateExamples.template,
    },
  }),
  patchTaskTemplate: route({
    id: 'patchTaskTemplate',
    method: 'PATCH',
    path: '/api/v1/task-templates/{template_id}',
    tag: 'Tasks',
    summary: 'Rename a template, or replace its brief',
    description: 'Tasks made from it before stay as they are.',
    access: 'tasks:write',
    params: templateId,
    body: TaskTemplatePatch,
    data: TaskTemplate,
    refuses: ['template_exists'],
    examples: { body: { name: 'Weekly hooks' }, data: { ...templateExamples.template, name: 'Weekly hooks' } },
  }),
  deleteTaskTemplate: route({
    id: 'deleteTaskTemplate',
    method: 'DELETE',
    path: '/api/v1/task-templates/{template_id}',
    tag: 'Tasks',
    summary: 'Delete a task template',
    description: 'For good; the answer has all of it, to be created again. Tasks made from it stay.',
    access: 'tasks:write',
    params: templateId,
    data: TaskTemplate,
    examples: { data: templateExamples.template },
  }),
} as const satisfies Record<string, Route>

// In charge of the routes for automations.
import { Automation, AutomationCreate, AutomationPatch } from '../automations.ts'
import { automationExample } from '../examples/automation-example.ts'
import { examplePage } from '../examples/examples.ts'
import { Page } from '../wire/envelope.ts'
import { Closed, Id } from '../wire/schema.ts'
import { listQuery, route } from './building.ts'
import type { Route } from './route.ts'

const automationId = Closed({ automation_id: Id({ description: 'Automation id.' }) })

export const automationsRoutes = {
  listAutomations: route({
    id: 'listAutomations',
    method: 'GET',
    path: '/api/v1/automations',
    tag: 'Automations',
    summary: 'Automations',
    description: 'Oldest first: the order in which they are tried.',
    access: 'read',
    query: listQuery,
    data: Page(Automation),
    examples: { data: examplePage(automationExample) },
  }),
  createAutomation: route({
    id: 'createAutomation',
    method: 'POST',
    path: '/api/v1/automations',
    tag: 'Automations',
    summary: 'Add an automation',
    description:
      'For tasks that enter the status from now on. It acts in the name of whoever writes it. Targets and outputs name nodes of the graph.',
    access: 'admin',
    body: AutomationCreate,
    data: Automation,
    refuses: ['not_owner'],
    idempotent: true,
    examples: {
      body: {
        name: automationExample.name,
        on_status: automationExample.on_status,
        query: automationExample.query,
        graph_id: automationExample.graph_id,
        outputs: automationExample.outputs,
        to_status: automationExample.to_status,
      },
      data: automationExample,
    },
  }),
  patchAutomation: route({
    id: 'patchAutomation',
    method: 'PATCH',
    path: '/api/v1/automations/{automation_id}',
    tag: 'Automations',
    summary: 'Change an automation',
    description:
      'What it has started already goes on as it was started. From now on it acts in the name of the caller.',
    access: 'admin',
    params: automationId,
    body: AutomationPatch,
    data: Automation,
    refuses: ['not_owner'],
    examples: { body: { enabled: false }, data: { ...automationExample, enabled: false } },
  }),
  deleteAutomation: route({
    id: 'deleteAutomation',
    method: 'DELETE',
    path: '/api/v1/automations/{automation_id}',
    tag: 'Automations',
    summary: 'Remove an automation',
    description: 'For good; answers with what it was. What it has started goes on to its end.',
    access: 'admin',
    params: automationId,
    data: Automation,
    examples: { data: automationExample },
  }),
} as const satisfies Record<string, Route>

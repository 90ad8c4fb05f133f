// In charge of the HTTP routes of automations: listing, creating, changing and deleting them.
import { isDeepStrictEqual } from 'node:util'
import type { AutomationCreate, AutomationPatch } from '@atelier/contract/automations.ts'
import { readDefinition } from '@atelier/contract/graph/graph-rules.ts'
import { routes } from '@atelier/contract/routes/routes.ts'
import { valuesOf } from '@atelier/contract/vocabulary.ts'
import { Invalid, notFound, type ValidationError } from '@atelier/contract/wire/errors.ts'
import { errorAt, valueError } from '@atelier/contract/wire/validation-errors.ts'
import type { Db } from '../../platform/db.ts'
import { type Answer, json } from '../../platform/http/answer.ts'
import type { Bind } from '../../platform/http/bind.ts'
import { listPage } from '../../platform/http/list.ts'
import { isUuid } from '../../platform/ids.ts'
import type { Services } from '../../platform/services.ts'
import { ownerOf, readGraph } from '../graphs/store.ts'
import { readRuleGroup } from '../tasks/feed/store.ts'
import { missingNodes } from './check.ts'
import {
  type AutomationContent,
  type AutomationRow,
  deleteAutomation,
  insertAutomation,
  listAutomations,
  lockAutomation,
  readAutomation,
  updateAutomation,
} from './store.ts'

export function bindAutomations(bind: Bind, { cursors, config }: Services): void {
  const vocabularies = valuesOf(config.vocabulary)

  /**
   * Throws one error that lists all problems of an automation: a filter that cannot be parsed, a graph that is missing or deleted,
   * and nodes that the graph does not have. An automation that is switched off starts nothing, so that its problems are no reason to
   * refuse it: otherwise a broken automation could not be switched off. They are checked when it is switched on.
   */
  const check = async (db: Db, content: AutomationContent): Promise<void> => {
    if (!content.enabled && isUuid(content.graph_id)) return
    const filter = readRuleGroup(content.query, vocabularies)
    const errors = 'errors' in filter ? filter.errors.map((it) => ({ ...it, loc: ['body', 'query', ...it.loc] })) : []
    const graph = isUuid(content.graph_id) ? await readGraph(db, content.graph_id) : undefined
    if (graph && graph.deleted_at === null) errors.push(...missingNodes(readDefinition(graph.definition), content))
    else errors.push(notThere(graph ? 'this graph is deleted' : 'there is no graph with this id', content.graph_id))
    if (errors.length > 0) throw new Invalid(errors)
  }

  bind(routes.listAutomations, async ({ db, query }) =>
    listPage({ cursors, scope: 'automations', query }, (after, take) => listAutomations(db, after, take), {
      text: ({ text }) => text,
      position: ({ id, at }) => ({ key: at, id }),
    }),
  )

  bind(routes.createAutomation, async ({ db, body, actor }) => {
    const content = { ...blank, ...given(body), owner_id: ownerOf(actor) }
    await check(db, content)
    return answer(db, await insertAutomation(db, content))
  })

  bind(routes.patchAutomation, async ({ db, params: { automation_id }, body, actor }) => {
    const before = await lockThere(db, automation_id)
    const content = { ...before, ...given(body), owner_id: ownerOf(actor) }
    if (checked.some((member) => !isDeepStrictEqual(before[member], content[member]))) await check(db, content)
    await updateAutomation(db, automation_id, contentOf(content))
    return answer(db, automation_id)
  })

  bind(routes.deleteAutomation, async ({ db, params: { automation_id } }) => {
    await lockThere(db, automation_id)
    const last = await answer(db, automation_id)
    await deleteAutomation(db, automation_id)
    return last
  })
}

/** The members of which an automation is checked. If none of them changes, a change is accepted even if the automation is broken. */
const checked = ['enabled', 'query', 'graph_id', 'targets', 'outputs'] as const

/** The default values for members that the request leaves out. */
const blank = { enabled: true, query: null, targets: [], outputs: [], to_status: null }

/**
 * Returns the request body with a graph id in lower case, as the database spells ids. A body without a graph id is returned as is.
 */
function given<Body extends AutomationCreate | AutomationPatch>(body: Body): Body {
  return body.graph_id === undefined ? body : { ...body, graph_id: body.graph_id.toLowerCase() }
}

function contentOf(row: AutomationContent): AutomationContent {
  const { name, enabled, on_status, query, graph_id, targets, outputs, to_status, owner_id } = row
  return { name, enabled, on_status, query, graph_id, targets, outputs, to_status, owner_id }
}

async function lockThere(tx: Db, id: string): Promise<AutomationRow> {
  const row = await lockAutomation(tx, id)
  if (!row) throw notFound('automation', id)
  return row
}

async function answer(db: Db, id: string): Promise<Answer> {
  return { data: json((await readAutomation(db, id)) ?? 'null') }
}

const notThere = (why: string, input: string): ValidationError => errorAt(['body', 'graph_id'], valueError(why), input)

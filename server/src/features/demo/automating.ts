// In charge of the demo's automation: adding the template graphs and the automation, and moving a task so that the automation
// starts.
import type { FileValue } from '@atelier/contract/graph/definition.ts'
import { v7 as uuidv7 } from 'uuid'
import { insertAutomation } from '../automations/store.ts'
import { addComment } from '../comments/write.ts'
import { insertGraph } from '../graphs/store.ts'
import { findOwner } from '../sessions/store.ts'
import { type Entering, lockTask } from '../tasks/store.ts'
import { changeTasks } from '../tasks/write.ts'
import type { DemoGraph } from './graph-writing.ts'
import { copyFromTable, localisation, staticsFromCard, staticsWithModel, withModelName } from './graphs.ts'
import { modelOffer } from './model-offer.ts'
import { found, type Stage } from './stage.ts'
import type { Mark } from './store.ts'

/** The key of the task that triggers the automation. */
const taken = 'cool-side'

/**
 * Adds the template graphs, and a fork of the template for static ads; returns the id of the fork. The automation uses the fork. No
 * node of the fork calls a provider, since no person confirms the cost of a run that an automation starts.
 */
export async function addGraphs(stage: Stage, approved: FileValue): Promise<string> {
  const statics = staticsFromCard()
  const offer = modelOffer(stage.config)
  const withModel = offer === null ? [] : [staticsWithModel(offer)]
  for (const graph of [...withModel, copyFromTable(), localisation(approved)]) await add(stage, graph, null)
  return add(stage, { ...statics, name: 'Quiltern statics' }, await add(stage, statics, null))
}

/** Adds a graph that the demo's strategist owns: a template if `forkedFrom` is null, otherwise a fork. */
async function add({ tx, actors: { maren } }: Stage, graph: DemoGraph, forkedFrom: string | null): Promise<string> {
  const { name, description, definition, ui_state } = graph
  const given = {
    content: { name, description, definition, ui_state },
    template: forkedFrom === null,
    ownerId: maren.userId ?? '',
    forkedFrom,
  }
  const reason = forkedFrom === null ? { kind: 'created', summary: 'created' } : { kind: 'forked', summary: 'forked' }
  return (await insertGraph(tx, given, maren, reason)).id
}

/**
 * Adds the automation, and moves a task into the status that triggers it. The move starts a run; workers later execute the run as
 * far as its gates. Returns the mark by which `backdateActivity` finds the activity entries that are written here.
 */
export async function addAutomation(stage: Stage, graphId: string, entering: Entering): Promise<Mark> {
  const { tx, config, actors, products, tasks } = stage
  const isImage = { field: 'media_type', operator: '=', value: 'image' }
  const knowsImages = config.vocabulary.MediaType.some(({ value }) => value === isImage.value)
  const isQuiltern = { field: 'product_id', operator: '=', value: products.quiltern.id }
  await insertAutomation(tx, {
    name: 'Quiltern statics',
    enabled: true,
    on_status: 'ready_for_production',
    query: { combinator: 'and', rules: knowsImages ? [isQuiltern, isImage] : [isQuiltern] },
    graph_id: graphId,
    targets: [],
    outputs: [{ node_id: 'ads', port: 'images' }],
    to_status: 'tech_check',
    owner_id: (await findOwner(tx)) ?? actors.maren.userId ?? '',
  })
  const from = uuidv7()
  const task = await lockTask(tx, found(tasks, taken))
  if (!task) throw new Error('The demo has lost the task of its automation.')
  const { nameTemplate } = config
  const offer = modelOffer(config)
  if (offer !== null) {
    const text = `There is a graph with our own image model, too: “${withModelName}”. Start it from this card when you want to. It makes four pictures at first, ${offer}. Until somebody does, nothing is sent to the provider.`
    await addComment(tx, { taskId: task.id, text, at: task.now }, actors.maren)
  }
  await changeTasks(tx, [task], { status: 'ready_for_production' }, actors.maren, { nameTemplate, entering })
  return { task_id: task.id, from, at: task.now }
}

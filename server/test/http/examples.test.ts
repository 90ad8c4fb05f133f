// Facts about the bodies that the documentation shows as examples: the service takes each of them, once the ids in it are those of
// records that are there.
import { examples } from '@atelier/contract/examples/examples.ts'
import { graphExamples } from '@atelier/contract/examples/graph-examples.ts'
import type { Route } from '@atelier/contract/routes/route.ts'
import { routes } from '@atelier/contract/routes/routes.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Body, type Service, startService } from '../support/harness.ts'
import { doors } from '../support/launch.ts'
import { makers } from '../support/make.ts'
import { untilStatus } from '../support/runs.ts'

let service: Service
/** For each parameter of a path, the value to send. */
const params: Record<string, string> = { provider: 'google' }
/** For each text of the examples that stands for something of this service, what it stands for. */
const real = new Map<string, string>()

beforeAll(async () => {
  service = await startService({ ATELIER_SECRETS_KEY: 'ab'.repeat(32) })
  const make = makers(service)
  const task = await make.task()
  const digest = await make.file('a picture', 'image/png')
  const creative = await make.creative(task.id, { file: digest })
  const [product, person] = [await make.product('Serum'), await service.person('writer')]
  Object.assign(params, { task_id: task.id, creative_id: creative.id, user_id: person.id })
  const { ids, file, fileLink } = examples
  real
    .set(ids.task, task.id)
    .set(ids.creative, creative.id)
    .set(ids.product, product.id)
    .set(ids.user, service.owner.id)
  real.set(file.digest, digest).set(fileLink.digest, digest)
  await service.app.worker.start()
})
afterAll(() => service.close())

/** The examples that were refused, with the answers. */
const refused: string[] = []
beforeEach(() => refused.splice(0))

/** Sends the example of a route, and returns what the route answers with. */
async function sent(route: Route): Promise<Body> {
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_, name) => params[name] ?? `no ${name}`)
  const raw = [...real].reduce((text, [one, other]) => text.replaceAll(one, other), JSON.stringify(route.examples.body))
  const { status, text, data } = await service.ask(route.method, path, { raw })
  if (status !== route.status) refused.push(`${route.id}: ${status} ${text}`)
  return data
}

/** The routes whose answer has the id of the record that the routes after it are about, and the parameter that names it. */
const naming: Partial<Record<string, string>> = {
  createComment: 'comment_id',
  createTaskTemplate: 'template_id',
  createReviewComment: 'comment_id',
  createGraph: 'graph_id',
  createProduct: 'product_id',
  createAutomation: 'automation_id',
}

/** What some routes need before they are asked. */
const before: Partial<Record<string, () => Promise<unknown>>> = {
  correctLaunch: async () => {
    await doors(service).packs({ task_id: params.task_id ?? '', ad_id: examples.launch.ad_id })
    params.launch_id = (await service.get(`/api/v1/tasks/${params.task_id}/launches`)).data.items[0].id
  },
  restoreGraphHistory: async () => {
    const { data } = await service.get(`/api/v1/graphs/${params.graph_id}/history`)
    real.set(graphExamples.historyEntry.at, data.items[0].at)
  },
  createAutomation: async () => real.set(graphExamples.graph.id, params.graph_id ?? ''),
}

/** The routes of a run, in the order in which the example run gets to them. */
const ofRuns = ['createRun', 'answerRun', 'planExport', 'exportRun', 'planRun', 'startRun', 'patchRun'] as const

/** Routes whose examples are about what only a run of paid nodes, a guest's link or a moment of the past brings about. */
const leftOut: readonly (keyof typeof routes)[] = [
  'enterAsGuest',
  'startReviewTake',
  'askTakeApproval',
  'decideReviewTake',
  'askApproval',
  'decideApproval',
  'patchRunTake',
  'restoreRunHistory',
]

const isLeftOut = ({ id }: Route): boolean => [...leftOut, ...ofRuns].some((one) => one === id)

describe('each example of a body is taken', () => {
  test('of records', async () => {
    const table: Route[] = Object.values(routes)
    const asked = table.filter(
      (route) => route.examples.body !== undefined && route.access !== 'guest' && !isLeftOut(route),
    )
    for (const route of asked) {
      await before[route.id]?.()
      const data = await sent(route)
      const named = naming[route.id]
      if (named) params[named] = data?.id
    }
    expect(refused).toEqual([])
  })

  test('of runs', async () => {
    params.graph_id = (await sent(routes.createGraph)).id
    const { id } = await sent(routes.createRun)
    params.run_id = id
    await untilStatus(service, id, 'awaiting_input')
    await sent(routes.answerRun)
    await untilStatus(service, id, 'succeeded')
    for (const step of ['planExport', 'exportRun', 'planRun', 'startRun'] as const) await sent(routes[step])
    params.run_id = (await sent(routes.createRun)).id
    await untilStatus(service, params.run_id ?? '', 'awaiting_input')
    await sent(routes.patchRun)
    expect(refused).toEqual([])
  })
})

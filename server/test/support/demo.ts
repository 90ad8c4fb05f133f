// In charge of the demo in tests: seeding it as on the first start, and running its graphs from start to exported card.
import sharp from 'sharp'
import { expect } from 'vitest'
import { seedDemo } from '../../src/features/demo/seed.ts'
import { keepArtifact } from './artifacts.ts'
import { automations } from './automations.ts'
import type { Body, Service } from './harness.ts'
import { untilStatus } from './runs.ts'

export const seed = ({ database, config, app }: Service): Promise<boolean> =>
  seedDemo(database, config, { files: app.services.files, entering: app.automations.entering })

/** Returns helpers that run the demo's graphs on a service. */
export function demoGraphs(service: Service) {
  const on = automations(service)
  return {
    /** Width × height of the files of a card's creatives, ordered by creative name; saves each file as an artifact. */
    async sizesOf(taskId: string, name: string): Promise<string[]> {
      const sizes: string[] = []
      for (const { file } of await on.creativesOf(taskId)) {
        const { bytes } = await service.get(`/api/v1/files/${file}`)
        const { width, height } = await sharp(bytes).metadata()
        sizes.push(`${width}x${height}`)
        await keepArtifact(`${name}-${sizes.length}-${width}x${height}.png`, bytes)
      }
      return sizes
    },
    /** Waits until the run that the demo's automation started waits at its gates; returns the automation's task and the run. */
    async waiting(): Promise<{ task: Body; run: Body }> {
      const [{ id }] = await service.rows(`select id from tasks where name = 'The cool side, in every size'`)
      const task = await on.untilState(id, 'awaiting_input', 'failed')
      expect(task.automation.error).toBeNull()
      const [{ id: run }] = await on.runsOf(id)
      return { task, run: await on.make.read(`/api/v1/runs/${run}`) }
    },
    /** Creates a card, forks the template with this name, and runs the fork for the card up to the first gate. */
    async runTemplate(name: string): Promise<{ task: Body; run: Body }> {
      const { items } = await on.make.read('/api/v1/graphs?template=true')
      const template = items.find((graph: Body) => graph.name === name)
      const { data: fork } = await service.post(`/api/v1/graphs/${template.id}/fork`)
      const task = await on.make.task({ name })
      const body = { pinned_task_id: task.id, task_id: task.id, execute: true }
      const { data: started } = await service.post(`/api/v1/graphs/${fork.id}/runs`, body)
      const run = await untilStatus(service, started.id, 'awaiting_input', 'failed')
      expect(run.error).toBeNull()
      return { task, run }
    },
    async answer(run: Body, node_id: string, given: unknown): Promise<void> {
      const { status, text } = await service.post(`/api/v1/runs/${run.id}/answers`, { node_id, answer: given })
      expect(status, text).toBe(200)
    },
    /** Waits until the run has succeeded, and exports the files of one of its nodes to the pinned card. */
    async exported(run: Body, output: object): Promise<void> {
      const ended = await untilStatus(service, run.id, 'succeeded', 'failed')
      expect(ended.error).toBeNull()
      const { status, text } = await service.post(`/api/v1/runs/${run.id}/export`, { outputs: [output] })
      expect(status, text).toBe(200)
    },
    /** Waits until the automation of the task has ended, and returns the task. */
    ended: (taskId: string): Promise<Body> =>
      on.until(taskId, ({ automation }) => automation.state === 'succeeded' || automation.state === 'failed'),
  }
}

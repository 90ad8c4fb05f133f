// In charge of helpers for tests of automations: they create graphs and tasks, and read the tasks' activity.
import { expect } from 'vitest'
import { definitionOf } from './definitions.ts'
import { eventually } from './eventually.ts'
import type { Body, Service } from './harness.ts'
import { makers } from './make.ts'
import { makeGraph } from './runs.ts'

type Members = Record<string, unknown>

/** A graph that makes a text by a paid call, and then a small picture from the text. */
export const pictureOf = (prompt: string) =>
  definitionOf(
    {
      copy: { type: 'test.paid', inputs: { prompt } },
      picture: { type: 'sample.image', params: { width: 64, height: 64, format: 'svg' } },
    },
    'copy.text > picture.prompt',
  )

/** A graph that makes a paid text from each prompt, lets users choose among the texts, and makes a picture from each choice. */
export const chosenPicture = (...prompts: string[]) =>
  definitionOf(
    {
      list: { type: 'list.collect', inputs: { values: prompts } },
      copy: { type: 'test.paid', each: ['prompt'] },
      pick: { type: 'gate.choose', params: { title: 'Which one?' } },
      picture: { type: 'sample.image', params: { width: 64, height: 64, format: 'svg' }, each: ['prompt'] },
    },
    'list.list > copy.prompt',
    'copy.text > pick.options',
    'pick.chosen > picture.prompt',
  )

/** Returns helpers that create automations on a service and read tasks. */
export function automations(service: Service) {
  const make = makers(service)
  const read = (taskId: string): Promise<Body> => make.read(`/api/v1/tasks/${taskId}`)
  /** Waits until `is` returns true for the task, and returns the task. On a timeout the error shows the task as last read. */
  const until = (taskId: string, is: (task: Body) => boolean): Promise<Body> =>
    eventually(async () => {
      const task = await read(taskId)
      if (!is(task)) throw new Error(`The task is not as expected: ${JSON.stringify(task, null, 1)}`)
      return task
    })
  return {
    make,
    read,
    until,
    untilState: (taskId: string, ...states: string[]): Promise<Body> =>
      until(taskId, ({ automation }) => states.includes(automation.state)),
    /** Creates an automation with a new graph, for the tasks that have this topic. */
    async add(topic: string, definition: object, members: Members = {}): Promise<Body> {
      const graph = await makeGraph(service, definition)
      const { status, data, text } = await service.post('/api/v1/automations', {
        name: `On ${topic}`,
        on_status: 'ready_for_production',
        query: { combinator: 'and', rules: [{ field: 'topic', operator: '=', value: topic }] },
        graph_id: graph.id,
        outputs: [{ node_id: 'picture' }],
        to_status: 'tech_check',
        ...members,
      })
      expect(status, text).toBe(200)
      return data
    },
    /** Creates a task with this topic in the backlog. */
    task: (topic: string, members: Members = {}): Promise<Body> => make.task({ topic, ...members }),
    enter: (taskId: string): Promise<Body> => make.patched(taskId, { status: 'ready_for_production' }),
    runsOf: async (taskId: string): Promise<Body[]> => (await make.read(`/api/v1/runs?task_id=${taskId}`)).items,
    creativesOf: async (taskId: string): Promise<Body[]> =>
      (await make.read(`/api/v1/tasks/${taskId}/creatives`)).items,
    /** Returns the activity entries of the task whose `kind` begins with one of `kinds`, oldest first. */
    async told(taskId: string, ...kinds: string[]): Promise<Body[]> {
      const { items } = await make.read(`/api/v1/tasks/${taskId}/activity`)
      return items.toReversed().filter(({ kind }: Body) => kinds.some((known) => kind.startsWith(known)))
    },
    cardOf: async (taskId: string): Promise<Body> => {
      const { number } = await read(taskId)
      const { tasks } = await make.read(`/api/v1/tasks/board?search=${number}`)
      return tasks.find(({ id }: Body) => id === taskId)
    },
  }
}

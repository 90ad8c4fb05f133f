// In charge of the graphs that the chaos test runs, and of the answers to their gates. The same question gets the same answer, so
// that repeated runs can be compared.
import { definitionOf } from '../definitions.ts'

/** Kind of graph → a function that makes its definition. Prompts contain the tag: runs with equal tags share cached results. */
export const chaosGraphs: Record<string, (tag: string) => ReturnType<typeof definitionOf>> = {
  chain: (tag) =>
    definitionOf(
      {
        a: { type: 'text.template', params: { template: `chain ${tag}` } },
        b: { type: 'chaos.paid' },
        c: { type: 'chaos.safe' },
        d: { type: 'chaos.free' },
      },
      'a.text > b.prompt',
      'b.text > c.prompt',
      'c.text > d.prompt',
    ),
  long: (tag) =>
    definitionOf(
      {
        list: { type: 'list.collect', inputs: { values: ['1', '2', '3'].map((row) => `slow ${tag} ${row}`) } },
        a: { type: 'chaos.safe', each: ['prompt'] },
        b: { type: 'chaos.free', each: ['prompt'] },
        c: { type: 'chaos.safe', each: ['prompt'] },
        d: { type: 'chaos.free', each: ['prompt'] },
        e: { type: 'chaos.safe', each: ['prompt'] },
      },
      'list.list > a.prompt',
      'a.text > b.prompt',
      'b.text > c.prompt',
      'c.text > d.prompt',
      'd.text > e.prompt',
    ),
  fan: (tag) =>
    definitionOf(
      {
        list: {
          type: 'list.collect',
          inputs: { values: ['1', '2 slow', '2 slow', '3 refused', '4'].map((row) => `${tag} ${row}`) },
        },
        copy: { type: 'chaos.paid', each: ['prompt'] },
        line: { type: 'text.template', params: { template: '<{{ x }}>' }, each: ['x'] },
        all: { type: 'list.collect' },
      },
      'list.list > copy.prompt',
      'copy.text > line.x',
      'line.text > all.values',
    ),
  branch: (tag) =>
    definitionOf(
      {
        a: { type: 'chaos.free', inputs: { prompt: `branch ${tag}` } },
        way: { type: 'flow.if', params: { condition: 'contains', compare: 'even' } },
        yes: { type: 'chaos.paid' },
        no: { type: 'chaos.safe' },
      },
      'a.text > way.value',
      'way.then > yes.prompt',
      'way.else > no.prompt',
    ),
  gate: (tag) =>
    definitionOf(
      {
        list: { type: 'list.collect', inputs: { values: ['x', 'y', 'z'].map((row) => `gate ${tag} ${row}`) } },
        copy: { type: 'chaos.safe', each: ['prompt'] },
        pick: { type: 'gate.choose' },
        last: { type: 'chaos.paid' },
      },
      'list.list > copy.prompt',
      'copy.text > pick.options',
      'pick.first > last.prompt',
    ),
  gates: (tag) =>
    definitionOf(
      {
        left: { type: 'gate.approve', inputs: { value: `left ${tag}` } },
        right: { type: 'gate.approve', inputs: { value: `right ${tag}` } },
        slow: { type: 'chaos.safe', inputs: { prompt: `slow ${tag}` } },
        one: { type: 'chaos.paid' },
        two: { type: 'chaos.paid' },
        both: { type: 'list.collect' },
      },
      'left.approved > one.prompt',
      'right.approved > two.prompt',
      'one.text > both.values',
      'two.text > both.values',
      'slow.text > both.values',
    ),
  items: (tag) =>
    definitionOf(
      {
        list: { type: 'list.collect', inputs: { values: ['p', 'q', 'q'].map((row) => `items ${tag} ${row}`) } },
        edit: { type: 'gate.edit', each: ['value'] },
        copy: { type: 'chaos.paid', each: ['prompt'] },
      },
      'list.list > edit.value',
      'edit.value > copy.prompt',
    ),
  jobs: (tag) =>
    definitionOf(
      {
        list: { type: 'list.collect', inputs: { values: ['one', 'two', 'three'].map((row) => `job ${tag} ${row}`) } },
        job: { type: 'chaos.job', each: ['prompt'] },
        all: { type: 'list.collect' },
      },
      'list.list > job.prompt',
      'job.text > all.values',
    ),
  trouble: (tag) =>
    definitionOf(
      {
        gone: { type: 'chaos.paid', inputs: { prompt: `dropped ${tag}` } },
        after: { type: 'chaos.free' },
        again: { type: 'chaos.safe', inputs: { prompt: `dropped and asked again ${tag}` } },
        busy: { type: 'chaos.paid', inputs: { prompt: `limited ${tag}` } },
      },
      'gone.text > after.prompt',
    ),
  files: (tag) =>
    definitionOf(
      {
        list: {
          type: 'list.collect',
          inputs: { values: Array.from({ length: 12 }, (_, row) => `file ${tag} ${row % 8}`) },
        },
        ask: { type: 'chaos.free', each: ['prompt'] },
        file: { type: 'chaos.file', each: ['prompt'] },
      },
      'list.list > ask.prompt',
      'ask.text > file.prompt',
    ),
}

/** What a user answers to the question of a gate. The graphs above ask three kinds of questions: choose, approve and edit. */
export function answerTo(request: Record<string, unknown>): Record<string, unknown> {
  if (request.kind === 'choose') return { selected: [1] }
  if (request.kind === 'approve') return { approved: true }
  return { value: `${request.value}, edited` }
}

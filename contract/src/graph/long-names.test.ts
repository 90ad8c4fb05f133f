// Facts about issues of definitions in which a name is very long: their sentences stay short, and the name is not repeated in each.
import { expect, test } from 'vitest'
import type { GraphEdge } from './definition.ts'
import { definitionIssues } from './graph-rules.ts'
import { edge, nodeTypes } from './graph-samples.ts'

const long = 'n'.repeat(1_000_000)
const text = { type: 'text', version: 1, params: { text: 'Hello' } }
const shout = (more: object = {}) => ({ type: 'shout', version: 1, ...more })
const issuesOf = (nodes: Record<string, unknown>, ...edges: GraphEdge[]) =>
  definitionIssues({ schema: 1, nodes, edges }, nodeTypes)

test.each([
  ['a type', issuesOf({ a: { type: long, version: 1 } })],
  ['an input that is not there', issuesOf({ b: shout({ inputs: { text: 'x', [long]: 1 } }) })],
  ['a port in `each`', issuesOf({ b: shout({ inputs: { text: ['x'] }, each: ['text', long, long] }) })],
  [
    'a port that is fed twice',
    issuesOf({ a: text, t: { type: 'template', version: 1, inputs: { [long]: 1 } } }, edge('a.out', `t.${long}`)),
  ],
  [
    'the ids in a circle',
    issuesOf({ a: shout(), [long]: shout() }, edge('a.text', `${long}.text`), edge(`${long}.text`, 'a.text')),
  ],
])('the sentence stays short, whatever the length of %s', (_name, issues) => {
  expect(issues.length).toBeGreaterThan(0)
  for (const { msg } of issues) expect(msg.length).toBeLessThan(1_000)
})

test('an id that is too long is told once, and not again with each fault of its node', () => {
  const each = Array.from({ length: 200 }, () => 'x')
  const issues = issuesOf({ [long]: { ...shout({ each }), colour: 1, inputs: 1 }, b: shout() })
  expect(issues.map(({ type, loc }) => [type, loc[2] === long])).toEqual([
    ['node_id_invalid', true],
    ['input_missing', false],
  ])
})

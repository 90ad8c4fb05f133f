// Facts about texts in fields for JSON that cannot be parsed yet, and about the words for what keeps a graph from running.
import { readDefinition } from '@atelier/contract/graph/graph-rules.ts'
import type { NodeType } from '@atelier/contract/graph/node-types.ts'
import { expect, test } from 'vitest'
import { issuesOf, reasonNotToRun } from './issues.ts'
import { unreadIssues, withText } from './unread-json.ts'

const size = { type: 'string', pattern: '^\\d+x\\d+$', examples: ['1024x1536', 'auto'], default: 'auto' }
const properties = {
  schema: { type: 'object', title: 'Form of the answer', 'x-atelier': 'json' },
  ...{ size, code: { type: 'string', pattern: '^[A-Z]$' }, words: { type: 'string' } },
}
const input = { title: 'Row', description: '', required: false, many: false, accepts_holes: false }
const chat: NodeType = {
  ...{ type: 'chat', version: 1, title: 'Chat', summary: '', help: '', group: 'text', outputs: {} },
  ...{ params: { type: 'object', properties }, inputs: { row: { ...input, schema: { type: 'object' } } } },
  ...{ open_inputs: false, credits: { least: 0, most: 0, note: '' }, cacheable: true, pure: true, retry_safe: true },
  ...{ gate: false, available: true, unavailable_reason: null, replaced_by: null, earlier: [] },
}
const types = new Map([['chat', chat]])
const nodes = { chat: { type: 'chat', version: 1 }, other: { type: 'other', version: 1 } }
const definition = readDefinition({ nodes })
const form = { node: 'chat', member: 'params', name: 'schema' } as const
const row = { node: 'chat', member: 'inputs', name: 'row' } as const

test('a text that is not JSON yet is an issue at its field, in words that name the field', () => {
  const [issue] = unreadIssues([{ ...form, text: '{"type":' }], definition, types)
  expect(issue).toMatchObject({ node: 'chat', field: 'params.schema' })
  expect(issue?.words).toBe('Form of the answer is not JSON yet, so it is not saved.')
})

test('a text without a field for JSON is no issue: the node or the param is gone, or an edge leads to the input', () => {
  const text = '{'
  const gone = [
    { ...form, node: 'gone', text },
    { ...form, node: 'constructor', text },
  ]
  const others = [
    { ...form, node: 'other', text },
    { ...form, name: 'words', text },
    { ...form, name: 'none', text },
  ]
  expect(unreadIssues([...gone, ...others], definition, types)).toEqual([])
  const edges = [{ from: { node: 'other', port: 'row' }, to: { node: 'chat', port: 'row' } }]
  expect(unreadIssues([{ ...row, text }], definition, types)).toHaveLength(1)
  expect(unreadIssues([{ ...row, text }], readDefinition({ nodes, edges }), types)).toEqual([])
})

test('there is one text at a place, until it is removed', () => {
  const two = withText(withText(withText([], form, '{'), row, '['), form, '{"a"')
  expect(two).toEqual([
    { ...row, text: '[' },
    { ...form, text: '{"a"' },
  ])
  expect(withText(two, form, null)).toEqual([{ ...row, text: '[' }])
})

test('what keeps a graph from running is a text that is not saved before all else', () => {
  const unread = unreadIssues([{ ...form, text: '{' }], definition, types)
  const missing = { key: '0', node: 'other', field: null, words: 'Something is needed here.', type: 'missing' }
  expect(reasonNotToRun([])).toBeNull()
  expect(reasonNotToRun([missing])).toBe('Resolve the issues first: they keep it from running.')
  expect(reasonNotToRun([missing, ...unread])).toBe('“chat”: Form of the answer is not JSON yet, so it is not saved.')
})

test('a param of the wrong form is told with the examples of its schema', () => {
  const of = (name: string) => ({
    ...{ type: 'string_pattern_mismatch', loc: ['definition', 'nodes', 'chat', 'params', name] },
    msg: "String should match pattern '^x$'",
  })
  const found = issuesOf([of('size'), of('code')], { nodes }, types)
  expect(found.map(({ words }) => words)).toEqual([
    'This has to look like one of these: 1024x1536, auto.',
    'This does not have the form that is needed here.',
  ])
})

// Whether docs/nodes.md tells of every node type, and the type of docs/adding-a-node.md works as it stands there.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { textHashtags } from '../../../docs/examples/text-hashtags.ts'
import { callNode, failureOf } from '../../test/support/nodes.ts'
import type { NodeType } from './node-type.ts'
import { createRegistry, defaultNodeTypes } from './registry.ts'

const read = (path: string) => readFileSync(new URL(`../../../docs/${path}`, import.meta.url), 'utf8')
const types = defaultNodeTypes({
  provider: null,
  allowedHosts: [],
  labelRules: [],
  readTask: async () => null,
  lookUp: async () => [],
})

function rowOf({ type, title, summary, inputs, open_inputs, outputs, credits, cacheable }: NodeType): string {
  const named = (ports: object) => Object.keys(ports).map((name) => `\`${name}\``)
  const takes = [...named(inputs), ...(open_inputs ? ['any'] : [])].join(' ')
  const price =
    credits.most === 0
      ? ''
      : credits.most === credits.least
        ? `${credits.least}`
        : `${credits.least}–${credits.most ?? '?'}`
  const cells = [`\`${type}\``, `${title}: ${summary}`, takes, named(outputs).join(' '), price, cacheable ? 'yes' : '']
  return `| ${cells.join(' | ')} |`.replaceAll('|  |', '| |').replaceAll('|  |', '| |')
}

test('docs/nodes.md has a row for each type, in the order of the palette', () => {
  const rows = read('nodes.md')
    .split('\n')
    .filter((line) => line.startsWith('| `'))
  expect(rows).toEqual(types.map(rowOf))
})

test('every type is no longer than one can read at a glance', () => {
  const lines = (type: string) => read(`../server/src/nodes/${type.replace('.', '-')}.ts`).split('\n').length
  expect(types.map(({ type }) => type).filter((type) => lines(type) > 160)).toEqual([])
})

test('the example stands in the guide as it is in its file', () => {
  const [, code] = /```ts\n([\s\S]*?)```/.exec(read('adding-a-node.md')) ?? []
  expect(code).toBe(read('examples/text-hashtags.ts'))
})

test('the example works, and can be listed beside the others', async () => {
  const call = (text: string) => callNode(textHashtags, { params: { limit: 2 }, inputs: { text } })
  expect((await call('Ice cold at noon: ICE, COLD, noon')).outputs).toEqual({
    tags: ['#cold', '#noon'],
    line: '#cold #noon',
  })
  expect(await failureOf(call('a b c'))).toMatch(/no word of four letters/)
  expect(createRegistry([...types, textHashtags]).wire.get('text.hashtags')).toMatchObject({
    title: 'Hashtags',
    available: true,
  })
})

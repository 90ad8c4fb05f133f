// Facts about the docs: docs/nodes.md lists every node type, and the code examples in the guides work as printed.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { sketch } from '../../../docs/examples/sketch-provider.ts'
import { textHashtags } from '../../../docs/examples/text-hashtags.ts'
import { settingsFor } from '../../test/support/models.ts'
import { nothingOutside } from '../../test/support/node-options.ts'
import { callNode, contextOf, failure, failureOf } from '../../test/support/nodes.ts'
import { json, startOutside, text } from '../../test/support/outside.ts'
import type { NodeType } from './node-type.ts'
import { guardedAgent, trustedAgent } from './outside/guard.ts'
import { createModels, providers } from './outside/providers.ts'
import { createRegistry, defaultNodeTypes } from './registry.ts'

const read = (path: string) => readFileSync(new URL(`../../../docs/${path}`, import.meta.url), 'utf8')
const types = defaultNodeTypes(nothingOutside)

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

test('the example of a provider stands in the guide as it is in its file', () => {
  const [, code] = /```ts\n([\s\S]*?)```/.exec(read('adding-a-provider.md')) ?? []
  expect(code).toBe(read('examples/sketch-provider.ts'))
})

test('the example of a provider works by its file, its line and its key', async () => {
  const here = await startOutside(
    (response, seen) => json({ picture: `http://${seen.headers.host}/1.png` })(response, seen),
    text('a picture'),
  )
  const agents = { trusted: trustedAgent(), guarded: guardedAgent([]) }
  const models = createModels(settingsFor(here.url, { provider: 'sketch' }), agents, [...providers, sketch])
  expect(models.keyOf('image', 'sketch:pencil')).toMatch(/^127\.0\.0\.1:\d+\/:pencil$/)
  const { ask, model } = models.find('image', 'sketch:pencil')
  const request = { prompt: 'a flask', size: '64x64', quality: '', references: [], mask: null }
  expect((await ask(model, request, { ...contextOf(), credits: 10 })).made.toString()).toBe('a picture')
  expect(here.seen.map(({ method, body }) => [method, body])).toEqual([
    ['POST', '{"model":"pencil","words":"a flask","size":"64x64"}'],
    ['GET', ''],
  ])
})

test('the example of a provider charges once for a picture that it does not have any more', async () => {
  const here = await startOutside(
    (response, seen) => json({ picture: `http://${seen.headers.host}/1.png` })(response, seen),
    ...[text('gone', {}, 404), text('gone', {}, 404), text('a picture')],
  )
  const agents = { trusted: trustedAgent(), guarded: guardedAgent([]) }
  const models = createModels(settingsFor(here.url, { provider: 'sketch' }), agents, [...providers, sketch])
  const { ask, model } = models.find('image', 'sketch:pencil')
  const request = { prompt: 'a flask', size: '64x64', quality: '', references: [], mask: null }
  let checkpoint: Record<string, unknown> | null = null
  const start = () => {
    const saveCheckpoint = async (value: Record<string, unknown>) => {
      checkpoint = value
    }
    return ask(model, request, { ...contextOf({ checkpoint, saveCheckpoint }), credits: 10 })
  }
  expect(await failure(start())).toMatchObject({ outcome: 'paid', credits: 10 })
  expect(await failure(start())).toMatchObject({ outcome: 'none', credits: 0 })
  expect((await start()).isCharged).toBe(true)
  expect(here.seen.map(({ method }) => method)).toEqual(['POST', 'GET', 'GET', 'GET'])
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

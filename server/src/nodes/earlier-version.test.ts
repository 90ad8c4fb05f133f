// Facts about earlier versions of a type that run by calling a newer version.
import Type from 'typebox'
import { expect, test } from 'vitest'
import { callNode, contextOf, failureOf } from '../../test/support/nodes.ts'
import { defineNode, gives, needs, TextList } from './define.ts'
import { earlierVersion } from './earlier-version.ts'
import { gateApprove } from './gate-approve.ts'
import { createRegistry } from './registry.ts'

/** Version 3 has a param `most`, takes a list, and outputs a list. */
const third = defineNode({
  ...{ type: 'test.words', version: 3, title: 'Words', summary: 'Words of texts.', help: 'For tests.', group: 'text' },
  params: { most: Type.Integer({ minimum: 1, default: 2 }) },
  inputs: { texts: needs({ title: 'Texts', description: 'Where from.', schema: TextList }) },
  outputs: { words: gives('Words', 'All of them.', TextList) },
  credits: { least: 0, most: 9, note: 'One for each.' },
  provider: ({ most }) => `words/${most}`,
  estimate: ({ most }, inputs) => ({ least: 0, most: inputs === null ? most : (inputs.texts as string[]).length }),
  run: async ({ params: { most }, inputs: { texts } }) => ({
    outputs: { words: texts.flatMap((text) => text.split(' ')).slice(0, most) },
    credits: 1,
  }),
})
/** Version 2 took one text. */
const second = earlierVersion(third, {
  version: 2,
  params: { most: Type.Integer({ minimum: 1, default: 3 }) },
  inputs: { text: needs({ title: 'Text', description: 'Where from.', schema: Type.String() }) },
  outputs: third.outputs,
  migrate: { inputs: ({ text }) => ({ texts: [text] }) },
})
/** Version 1 named its param `limit`, and its output was one line of text. */
const first = earlierVersion(second, {
  version: 1,
  params: { limit: Type.Integer({ minimum: 1, default: 1 }) },
  inputs: { text: needs({ title: 'Text', description: 'Where from.', schema: Type.String() }) },
  outputs: { line: gives('Line', 'All of them.', Type.String()) },
  migrate: {
    params: ({ limit }) => ({ most: limit }),
    outputs: ({ words }) => ({ line: (words as string[]).join(' ') }),
  },
})

test('a version takes and gives what it did, with its own defaults, over as many versions as there are since', async () => {
  const text = 'a b c d'
  expect(await callNode(first, { inputs: { text } })).toEqual({ outputs: { line: 'a' }, credits: 1 })
  expect(await callNode(first, { params: { limit: 2 }, inputs: { text } })).toMatchObject({ outputs: { line: 'a b' } })
  expect(await callNode(second, { inputs: { text } })).toMatchObject({ outputs: { words: ['a', 'b', 'c'] } })
})

test('it refuses what it refused, asks whom the newer one asks, and costs what that costs', async () => {
  expect(await failureOf(callNode(first, { params: { limit: 0 }, inputs: { text: 'a' } }))).toMatch(/“limit”/)
  expect(await failureOf(callNode(first, contextOf()))).toMatch(/“Text” \(text\) has no value/)
  expect([first.provider({ limit: 4 }), first.estimate({ limit: 4 }, null)]).toEqual(['words/4', { least: 0, most: 4 }])
  expect(first.estimate({ limit: 4 }, { text: 'a' })).toEqual({ least: 0, most: 1 })
})

test('it is listed beside the newer one, with the ports it had', () => {
  const { wire, has } = createRegistry([third, second, first])
  expect(wire.get('test.words')).toMatchObject({ version: 3, earlier: [{ version: 2 }, { version: 1 }] })
  expect(Object.keys(wire.get('test.words')?.earlier[1]?.outputs ?? {})).toEqual(['line'])
  expect([...has]).toEqual(['test.words@3', 'test.words@2', 'test.words@1'])
})

test('a gate, or a version that is not earlier, is refused', () => {
  const nothing = { params: {}, inputs: {}, outputs: {}, migrate: {} }
  expect(() => earlierVersion(third, { version: 3, ...nothing })).toThrow('not earlier')
  expect(() => earlierVersion({ ...gateApprove, version: 2 }, { version: 1, ...nothing })).toThrow('is a gate')
})

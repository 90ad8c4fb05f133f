// Facts about the node type `text.split`.
import { expect, test } from 'vitest'
import { callNode } from '../../test/support/nodes.ts'
import { textSplit } from './text-split.ts'

const split = async (text: string, params: Record<string, unknown> = {}) =>
  (await callNode(textSplit, { params, inputs: { text } })).outputs

test('gives the lines without bullets, blanks and empty ones', async () => {
  expect(await split('1. Cold\r\n\n- Ice cold\n • Still cold \n2026 was cold')).toEqual({
    parts: ['Cold', 'Ice cold', 'Still cold', '2026 was cold'],
    count: 4,
  })
})

test('leaves bullets where they are wanted', async () => {
  expect((await split('- a', { strip_bullets: false })).parts).toEqual(['- a'])
})

test.for([
  ['paragraphs', 'a\nb\n\n \nc', ['a\nb', 'c']],
  ['sentences', 'It is cold. Very cold! Why? 3.5 degrees.', ['It is cold.', 'Very cold!', 'Why?', '3.5 degrees.']],
  ['separator', 'a, b,,c', ['a', 'b', 'c']],
] as const)('splits at %s', async ([by, text, parts]) => {
  expect((await split(text, { by })).parts).toEqual(parts)
})

test('keeps no more than it is told', async () => {
  expect(await split('a\nb\nc', { limit: 2 })).toEqual({ parts: ['a', 'b'], count: 2 })
})

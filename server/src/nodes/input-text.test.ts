// Facts about the node type `input.text`.
import { expect, test } from 'vitest'
import { callNode } from '../../test/support/nodes.ts'
import { inputText } from './input-text.ts'

test('gives its text as it is written', async () => {
  expect((await callNode(inputText, { params: { value: ' a\nb ' } })).outputs).toEqual({ text: ' a\nb ' })
})

test('gives an empty text where nothing is written', async () => {
  expect((await callNode(inputText, {})).outputs).toEqual({ text: '' })
})

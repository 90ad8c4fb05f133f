// Facts about the node type `input.number`.
import { expect, test } from 'vitest'
import { callNode } from '../../test/support/nodes.ts'
import { inputNumber } from './input-number.ts'

test('gives its number, 0 unless set', async () => {
  expect((await callNode(inputNumber, { params: { value: 29.9 } })).outputs).toEqual({ number: 29.9 })
  expect((await callNode(inputNumber, {})).outputs).toEqual({ number: 0 })
})

// Facts about the node type `input.choice`.
import { expect, test } from 'vitest'
import { callNode, failureOf } from '../../test/support/nodes.ts'
import { inputChoice } from './input-choice.ts'

const options = ['de', 'fr']

test('gives what is picked, or else the first option', async () => {
  expect((await callNode(inputChoice, { params: { options, value: 'fr' } })).outputs).toEqual({ choice: 'fr' })
  expect((await callNode(inputChoice, { params: { options } })).outputs).toEqual({ choice: 'de' })
})

test('refuses a pick that is no option, and names those there are', async () => {
  const said = await failureOf(callNode(inputChoice, { params: { options, value: 'it' } }))
  expect(said).toBe('“it” is not among the options: de, fr. Pick one of them.')
})

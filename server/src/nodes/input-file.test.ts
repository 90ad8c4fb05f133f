// Facts about the node type `input.file`.
import { expect, test } from 'vitest'
import { callNode, failureOf, filesInMemory } from '../../test/support/nodes.ts'
import { inputFile } from './input-file.ts'

test('gives the file and its name', async () => {
  const file = await filesInMemory().write(Buffer.from('x'), 'text/plain', 'brief.txt')
  expect((await callNode(inputFile, { params: { file } })).outputs).toEqual({ file, name: 'brief.txt' })
})

test('gives no name where the file has none', async () => {
  const file = await filesInMemory().write(Buffer.from('x'), 'text/plain')
  expect((await callNode(inputFile, { params: { file } })).outputs).toEqual({ file })
})

test('needs a file', async () => {
  expect(inputFile.params.required).toEqual(['file'])
  expect(await failureOf(callNode(inputFile, {}))).toMatch(/^The setting/)
})

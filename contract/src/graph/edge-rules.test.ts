// Facts about the sentences that say why an edge cannot be: they stay short, whatever the names at its ends are.
import { expect, test } from 'vitest'
import { edgeFaults } from './edge-rules.ts'
import { readDefinition } from './graph-rules.ts'

/** The sentences about an edge between a node and itself, whose type is unknown, and about one between nodes that are not there. */
function sentencesAbout(name: string): string[] {
  const { nodes } = readDefinition({ nodes: { [name]: { type: name } }, edges: [] })
  const ends = [name, `${name}!`].map((node) => ({ from: { node, port: name }, to: { node, port: name } }))
  return ends.flatMap((edge) => edgeFaults({ nodes, edges: [] }, new Map(), edge)).map(({ msg }) => msg)
}

test('names of up to 200 characters are quoted whole, and longer ones by their beginning', () => {
  const name = 'n'.repeat(199)
  expect(sentencesAbout(name)).toEqual([
    `“${name}” cannot lead to itself.`,
    `There is no node “${name}!”.`,
    `There is no node “${name}!”.`,
  ])
  expect(sentencesAbout(`${name}no`)[0]).toBe(`“${name}n…” cannot lead to itself.`)
  expect(sentencesAbout(`${name}😀`)[0]).toBe(`“${name}…” cannot lead to itself.`)
})

// Facts about which ports an edge may connect, and the sentences that say why not: they stay short, whatever the names at its ends are.
import { expect, test } from 'vitest'
import { connectionProblem, edgeFaults } from './edge-rules.ts'
import { definitionIssues, readDefinition } from './graph-rules.ts'
import { edge, nodeTypes } from './graph-samples.ts'

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

test('a port that takes several edges takes a list too, whose elements fit, beside single values', () => {
  const nodes = {
    one: { type: 'text', version: 1, params: { text: 'Hello' } },
    list: { type: 'lines', version: 1 },
    paint: { type: 'paint', version: 1 },
    join: { type: 'join', version: 1 },
  }
  const edges = [edge('list.lines', 'join.all'), edge('one.out', 'join.all')]
  const issues = definitionIssues({ schema: 1, nodes, edges }, nodeTypes)
  expect(issues.map(({ type }) => type)).toEqual(['node_type_unavailable'])
  const problem = connectionProblem(readDefinition({ nodes, edges }), nodeTypes, edge('paint.file', 'join.all'))
  expect(problem).toMatch(/: it gives a file, and text or a list of texts is asked for\.$/)
})

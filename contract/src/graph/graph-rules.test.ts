// Facts about graph definitions: all faults are reported at once, each with its location, and the valid parts are still read.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { processorMs } from '../../../server/test/support/processor-time.ts'
import type { Definition, GraphEdge } from './definition.ts'
import { connectionProblem } from './edge-rules.ts'
import { definitionIssues, readDefinition } from './graph-rules.ts'
import { edge, nodeTypes } from './graph-samples.ts'

const issuesOf = (raw: unknown) => definitionIssues(raw, nodeTypes)
/** Each issue as a text: its type and its location within the definition. */
const told = (raw: unknown) => issuesOf(raw).map(({ type, loc }) => `${type} ${loc.slice(1).join('.')}`)

const text = (params: Record<string, unknown> = { text: 'Hello' }) => ({ type: 'text', version: 1, params })
const shout = (more: object = {}) => ({ type: 'shout', version: 1, ...more })
const graph = (nodes: Record<string, unknown>, ...edges: GraphEdge[]) => ({ schema: 1, nodes, edges })

describe('a definition that is right', () => {
  test.each([
    ['no nodes at all', graph({})],
    ['a node alone', graph({ a: text() })],
    ['two nodes and an edge', graph({ a: text(), b: shout() }, edge('a.out', 'b.text'))],
    ['a value in place of an edge', graph({ b: shout({ inputs: { text: 'x' } }) })],
    [
      'a node that runs once per element',
      graph({ l: { type: 'lines', version: 1 }, b: shout({ each: ['text'] }) }, edge('l.lines', 'b.text')),
    ],
    ['elements as a value', graph({ b: shout({ inputs: { text: ['x', 'y'] }, each: ['text'] }) })],
    [
      'several edges into a port that takes them',
      graph({ a: text(), b: text(), j: { type: 'join', version: 1 } }, edge('a.out', 'j.all'), edge('b.out', 'j.all')),
    ],
    [
      'a list as the value of a port that takes several edges',
      graph({ j: { type: 'join', version: 1, inputs: { all: ['x'] } } }),
    ],
    [
      'an input of any name, where the type is open to them',
      graph({ a: text(), t: { type: 'template', version: 1, inputs: { who: 1 } } }, edge('a.out', 't.what')),
    ],
  ])('has no issues: %s', (_name, definition) => {
    expect(issuesOf(definition)).toEqual([])
  })
})

describe('what has the wrong shape is told at its place', () => {
  test.each([
    [null, ['dict_type ']],
    ['x', ['dict_type ']],
    [[], ['dict_type ']],
    [{}, ['missing schema', 'missing nodes', 'missing edges']],
    [
      { schema: 2, nodes: [], edges: {}, viewport: 1 },
      ['literal_error schema', 'dict_type nodes', 'list_type edges', 'extra_forbidden viewport'],
    ],
    [graph({ a: 1 }), ['dict_type nodes.a']],
    [graph({ a: {} }), ['missing nodes.a.type', 'missing nodes.a.version']],
    [
      graph({ a: { type: 1, version: 'x', params: [], inputs: 1, each: 'text', cache: true } }),
      [
        'string_type nodes.a.type',
        'int_type nodes.a.version',
        'dict_type nodes.a.params',
        'dict_type nodes.a.inputs',
        'list_type nodes.a.each',
        'extra_forbidden nodes.a.cache',
      ],
    ],
    [
      graph({ '': text(), 'a/b': text(), [`${'x'.repeat(65)}`]: text() }),
      ['node_id_invalid nodes.', 'node_id_invalid nodes.a/b', `node_id_invalid nodes.${'x'.repeat(65)}`],
    ],
    [
      { ...graph({}), edges: [1, {}, { from: 1, to: { node: 'a', port: 'b', x: 1 }, y: 1 }] },
      [
        'dict_type edges.0',
        'missing edges.1.from',
        'missing edges.1.to',
        'dict_type edges.2.from',
        'extra_forbidden edges.2.to.x',
        'extra_forbidden edges.2.y',
      ],
    ],
  ])('%j', (raw, issues) => {
    expect(told(raw)).toEqual(issues)
  })
})

describe('types', () => {
  test('an unknown one is told', () => {
    expect(told(graph({ a: { type: 'nobody', version: 1 } }))).toEqual(['node_type_unknown nodes.a.type'])
    expect(told(graph({ a: { type: 'constructor', version: 1 } }))).toEqual(['node_type_unknown nodes.a.type'])
  })

  test('a dropped one names what replaces it, and nothing is said of its ports', () => {
    const [issue, ...more] = issuesOf(
      graph({ a: text(), o: { type: 'old', version: 3, inputs: { x: 1 } } }, edge('a.out', 'o.y')),
    )
    expect(more).toEqual([])
    expect(issue).toMatchObject({
      type: 'node_type_unknown',
      loc: ['definition', 'nodes', 'o', 'type'],
      msg: 'There is no node type “old” any more. “shout” (version 1) replaces it.',
      ctx: { replaced_by: { type: 'shout', version: 1 } },
    })
  })

  test('another version than the one there is is told at the version', () => {
    expect(told(graph({ b: shout({ version: 2 }) }))).toEqual(['node_version_unknown nodes.b.version'])
  })

  test('one that cannot run here is told by a type of its own, beside all else', () => {
    const issues = issuesOf(graph({ p: { type: 'paint', version: 1, params: { size: 9 } } }))
    expect(issues.map(({ type }) => type)).toEqual(['node_type_unavailable', 'less_than_equal'])
    expect(issues[0]?.msg).toBe('The node type “paint” cannot run here: OPENAI_API_KEY is not set')
  })
})

describe('params', () => {
  test('are held against the schema of their type, all errors at once', () => {
    expect(issuesOf(graph({ a: text({ text: 1, mode: 'x', more: true }) }))).toEqual([
      {
        type: 'string_type',
        loc: ['definition', 'nodes', 'a', 'params', 'text'],
        msg: 'Input should be a valid string',
        input: 1,
      },
      {
        type: 'enum',
        loc: ['definition', 'nodes', 'a', 'params', 'mode'],
        msg: "Input should be 'plain' or 'loud'",
        ctx: { expected: "'plain' or 'loud'" },
        input: 'x',
      },
      {
        type: 'extra_forbidden',
        loc: ['definition', 'nodes', 'a', 'params', 'more'],
        msg: 'Extra inputs are not permitted',
        input: true,
      },
    ])
    expect(told(graph({ a: text({}) }))).toEqual(['missing nodes.a.params.text'])
  })

  test('have a size, and are not looked into beyond it', () => {
    expect(told(graph({ a: text({ text: 1, more: 'é'.repeat(40_000) }) }))).toEqual(['too_large nodes.a.params'])
    expect(told(graph({ a: text({ text: 'x'.repeat(60_000) }) }))).toEqual([])
  })
})

describe('ports', () => {
  const nodes = { a: text(), b: shout(), l: { type: 'lines', version: 1 } }
  const join = { type: 'join', version: 1 }

  test.each([
    [
      'unknown ones, at either end',
      graph(nodes, edge('a.nope', 'b.nope'), edge('a.out', 'b.text')),
      ['port_unknown edges.0.from.port', 'port_unknown edges.0.to.port'],
    ],
    [
      'those of nodes that are not there',
      graph({ b: shout({ inputs: { text: 'x' } }) }, edge('x.out', 'y.in')),
      ['node_unknown edges.0.from.node', 'node_unknown edges.0.to.node'],
    ],
    [
      'names that every object has',
      graph({ a: text(), b: shout({ inputs: { text: 'x', constructor: 1 } }) }, edge('a.toString', 'b.valueOf')),
      ['port_unknown nodes.b.inputs.constructor', 'port_unknown edges.0.from.port', 'port_unknown edges.0.to.port'],
    ],
    ['a needed one without a value', graph({ b: shout() }), ['input_missing nodes.b.inputs.text']],
    [
      'one with a value and an edge',
      graph({ ...nodes, b: shout({ inputs: { text: 'x' } }) }, edge('a.out', 'b.text')),
      ['port_fed_twice nodes.b.inputs.text'],
    ],
    [
      'two edges into a port for one',
      graph({ ...nodes, c: text() }, edge('a.out', 'b.text'), edge('c.out', 'b.text')),
      ['port_fed_twice edges.1.to'],
    ],
    [
      'the same edge twice',
      graph({ a: text(), j: join }, edge('a.out', 'j.all'), edge('a.out', 'j.all')),
      ['edge_repeated edges.1'],
    ],
    ['a node that leads to itself', graph({ b: shout() }, edge('b.text', 'b.text')), ['self_loop edges.0']],
    ['kinds that do not fit', graph(nodes, edge('l.lines', 'b.text')), ['port_incompatible edges.0']],
    ['a value of another kind', graph({ b: shout({ inputs: { text: 1 } }) }), ['string_type nodes.b.inputs.text']],
    [
      'an element of another kind',
      graph({ b: shout({ inputs: { text: ['x', 1] }, each: ['text'] }) }),
      ['string_type nodes.b.inputs.text.1'],
    ],
    [
      'one value where a list is run over',
      graph({ b: shout({ inputs: { text: 'x' }, each: ['text'] }) }),
      ['list_type nodes.b.inputs.text'],
    ],
    [
      '`each` with a port that is not there, one named twice, one without a value',
      graph({ b: shout({ each: ['nope', 'text', 'text'] }) }),
      [
        'port_unknown nodes.b.each.0',
        'each_unfed nodes.b.each.1',
        'each_repeated nodes.b.each.2',
        'input_missing nodes.b.inputs.text',
      ],
    ],
    [
      '`each` with a port that takes several edges',
      graph({ j: { ...join, each: ['all'], inputs: { all: [['x']] } } }),
      ['each_many nodes.j.each.0'],
    ],
  ])('%s', (_name, definition, issues) => {
    expect(told(definition)).toEqual(issues)
  })

  test('an edge that does not fit says why, and what to do', () => {
    expect(issuesOf(graph(nodes, edge('l.lines', 'b.text')))[0]?.msg).toBe(
      '“lines” of “l” does not fit “text” of “b”: it gives a list of texts, and text is asked for; to run once for each element, name the port in `each`.',
    )
  })

  test('the outputs of a node that runs once per element are lists', () => {
    const both = { l: { type: 'lines', version: 1 }, b: shout({ each: ['text'] }), c: shout() }
    expect(told(graph(both, edge('l.lines', 'b.text'), edge('b.text', 'c.text')))).toEqual([
      'port_incompatible edges.1',
    ])
    expect(
      told(graph({ ...both, c: shout({ each: ['text'] }) }, edge('l.lines', 'b.text'), edge('b.text', 'c.text'))),
    ).toEqual([])
  })
})

describe('cycles', () => {
  test('are told by their path, at the edge that closes them', () => {
    const nodes = { a: shout(), b: shout(), c: shout(), d: shout() }
    const circle = [
      edge('a.text', 'b.text'),
      edge('b.text', 'c.text'),
      edge('c.text', 'a.text'),
      edge('c.text', 'd.text'),
    ]
    const [issue, ...more] = issuesOf(graph(nodes, ...circle))
    expect(more).toEqual([])
    expect(issue).toMatchObject({
      type: 'cycle',
      loc: ['definition', 'edges', 2],
      msg: 'Nodes cannot wait for each other in a circle: a → b → c → a.',
      ctx: { path: ['a', 'b', 'c', 'a'] },
    })
  })

  test('each knot is told once', () => {
    const nodes = Object.fromEntries(['a', 'b', 'c', 'd'].map((id) => [id, { type: 'join', version: 1 }]))
    const pairs = [
      ['a', 'b'],
      ['b', 'a'],
      ['b', 'c'],
      ['c', 'd'],
      ['d', 'c'],
    ] as const
    expect(told(graph(nodes, ...pairs.map(([from, to]) => edge(`${from}.text`, `${to}.all`))))).toEqual([
      'cycle edges.1',
      'cycle edges.4',
    ])
  })
})

describe('size', () => {
  const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`n${index}`, text()]))

  test('more nodes or edges than a definition may have are told', () => {
    expect(told(graph(many(2001)))).toEqual(['too_long nodes'])
    expect(told({ ...graph({}), edges: Array.from({ length: 10_001 }, () => 1) }).slice(0, 1)).toEqual([
      'too_long edges',
    ])
  })

  test('of a definition that is too large only its shape is told, in no time', () => {
    const ids = Array.from({ length: 10_000 }, (_, index) => index)
    const nodes = Object.fromEntries(ids.flatMap((id) => [`a${id}`, `b${id}`]).map((id) => [id, text()]))
    const edges = ids.flatMap((id) => [edge(`a${id}.out`, `b${id}.text`), edge(`b${id}.out`, `a${id}.text`)])
    const began = processorMs()
    expect(told(graph(nodes, ...edges))).toEqual(['too_long nodes', 'too_long edges'])
    expect(processorMs() - began).toBeLessThan(1000)
  })

  test('no more than a thousand issues are told', () => {
    expect(issuesOf({ ...graph({}), edges: Array.from({ length: 10_001 }, () => 1) })).toHaveLength(1000)
  })
})

describe('a connection that is being drawn', () => {
  const definition: Definition = readDefinition(
    graph(
      {
        a: text(),
        b: shout(),
        c: shout({ inputs: { text: 'x' } }),
        l: { type: 'lines', version: 1 },
        j: { type: 'join', version: 1 },
      },
      edge('a.out', 'b.text'),
    ),
  )
  test.each([
    ['b.text', 'c.text', null],
    ['b.text', 'j.all', null],
    ['a.out', 'b.text', 'These ports are connected already.'],
    ['c.text', 'b.text', 'The input “text” of “b” takes one edge, and there is one already.'],
    ['b.text', 'b.text', '“b” cannot lead to itself.'],
    ['b.text', 'a.in', '“text” has no input “in”.'],
    ['x.text', 'a.in', 'There is no node “x”.'],
    ['l.lines', 'c.text', /^“lines” of “l” does not fit “text” of “c”: /],
  ])('%s to %s: %s', (from, to, problem) => {
    const told = connectionProblem(definition, nodeTypes, edge(from, to))
    if (problem === null) expect(told).toBeNull()
    else expect(told).toMatch(problem)
  })

  test('that would close a circle names it', () => {
    const chain = readDefinition(graph({ a: shout(), b: { type: 'join', version: 1 } }, edge('b.text', 'a.text')))
    expect(connectionProblem(chain, nodeTypes, edge('a.text', 'b.all'))).toBe(
      'Nodes cannot wait for each other in a circle: a → b → a.',
    )
  })
})

describe('anything at all', () => {
  const seed = Number(process.env.FAST_CHECK_SEED ?? 7)

  test('is read without an error, and judged without one', () => {
    const port = fc.record(
      { node: fc.constantFrom('a', 'b', '__proto__'), port: fc.constantFrom('text', 'out', 'all', 'constructor') },
      { requiredKeys: [] },
    )
    const almost = fc.record(
      {
        schema: fc.constantFrom(1, 2, null),
        nodes: fc.dictionary(
          fc.constantFrom('a', 'b', 'constructor', '/'),
          fc.oneof(
            fc.jsonValue(),
            fc.record(
              {
                type: fc.constantFrom('text', 'shout', 'join', 'template', 'old', 'paint'),
                version: fc.constantFrom(1, 2),
                params: fc.jsonValue(),
                inputs: fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue()),
                each: fc.array(fc.constantFrom('text', 'x')),
              },
              { requiredKeys: [] },
            ),
          ),
        ),
        edges: fc.array(fc.oneof(fc.jsonValue(), fc.record({ from: port, to: port }, { requiredKeys: [] }))),
      },
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), almost), (raw) => {
        const issues = issuesOf(raw)
        for (const { loc, msg } of issues) expect([loc[0], typeof msg]).toEqual(['definition', 'string'])
        // Reading a definition that `readDefinition` has returned changes nothing.
        const read = readDefinition(raw)
        expect(readDefinition(read)).toEqual(read)
      }),
      { seed, numRuns: 500 },
    )
  })

  test('that is right stays so when its nodes get other ids', () => {
    const id = fc.string({ minLength: 1, maxLength: 20, unit: fc.constantFrom(...'abcXYZ._-ß 09') })
    fc.assert(
      fc.property(fc.uniqueArray(id, { minLength: 4, maxLength: 4 }), ([a = '', b = '', c = '', d = '']) => {
        const nodes = {
          [a]: text(),
          [b]: shout(),
          [c]: { type: 'lines', version: 1 },
          [d]: { type: 'join', version: 1 },
        }
        const ends = [
          [a, 'out', b, 'text'],
          [b, 'text', d, 'all'],
          [a, 'out', d, 'all'],
        ] as const
        const edges = ends.map(([node, port, to, toPort]) => ({ from: { node, port }, to: { node: to, port: toPort } }))
        expect(issuesOf({ schema: 1, nodes, edges })).toEqual([])
      }),
      { seed, numRuns: 200 },
    )
  })
})

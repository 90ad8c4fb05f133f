// Facts about how the tests parse source files: imports, comments, strings, cycles and barrels.
import { describe, expect, test } from 'vitest'
import { cyclesAmong, parseSource } from './support/sources.ts'

describe('how the tests read code', () => {
  const parse = (text: string) => parseSource('server/src/features/a/x.ts', text)

  test('imports are found over several lines, as re-exports, for their effect alone, and late', () => {
    const source = parse(
      "import {\n  a,\n  type B,\n} from './b.ts'\nexport * from '../c/store.ts'\nimport './d.ts'\nawait import('./e.ts')\n",
    )
    const names = ['a/b', 'c/store', 'a/d', 'a/e'].map((name) => `server/src/features/${name}.ts`)
    expect(source.imports).toEqual(names.map((to) => ({ to, typeOnly: false })))
  })

  test('an import of types is told apart, and the contract is resolved', () => {
    const source = parse("import type { A } from '@atelier/contract/wire/errors.ts'\nimport Type from 'typebox'\n")
    expect(source.imports).toEqual([
      { to: 'contract/src/wire/errors.ts', typeOnly: true },
      { to: 'typebox', typeOnly: false },
    ])
  })

  test('comments, strings and regular expressions are not code', () => {
    const source = parse(
      "// import a from './a.ts'\nconst b = 'any' + `it's any` // any\nconst c = x.split(/['\"`]/)\n",
    )
    expect(source.imports).toEqual([])
    expect(source.code).not.toContain('any')
    expect(source.code.split('\n')[2]).toMatch(/^const c = x\.split\( +\)$/)
    expect(source.comments.map(({ line }) => line)).toEqual([1, 2])
  })

  test('a cycle is found once, and not through an import of types', () => {
    const at = (file: string, text: string) => parseSource(`${file}.ts`, text)
    const back = at('c', "import { a } from './a.ts'")
    const ring = [at('a', "import { b } from './b.ts'"), at('b', "import { c } from './c.ts'")]
    expect(cyclesAmong([...ring, back])).toEqual([['a.ts', 'b.ts', 'c.ts', 'a.ts']])
    expect(cyclesAmong([...ring, at('c', "import type { a } from './a.ts'")])).toEqual([])
  })

  test('a barrel is a file that only re-exports', () => {
    expect(parse("// All of it.\nexport { a } from './a.ts'\nexport * from './b.ts'\n").isBarrel).toBe(true)
    expect(parse("import { a } from './a.ts'\nexport const b = a\n").isBarrel).toBe(false)
  })
})

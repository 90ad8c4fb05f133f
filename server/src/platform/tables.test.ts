// Facts about the row types of tables.ts: they match the tables of the database, which migrations/schema.txt lists.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

/** Columns by name. `nullable` is true if the column may be null, and null if that is unknown. */
type Columns = Map<string, { nullable: boolean | null }>

const schema = readFileSync(new URL('../../migrations/schema.txt', import.meta.url), 'utf8')
const inDatabase = new Map(
  schema.split(/\n(?=(?:table|view|function) )/).map((section): [string, Columns] => {
    const [, table = ''] = /^table (\w+)/.exec(section) ?? []
    const columns = [...section.matchAll(/^ {2}(?!constraint |CREATE |trigger )(\w+) (.+)$/gm)]
    return [table, new Map(columns.map(([, name = '', rest = '']) => [name, { nullable: mayBeNull(rest) }]))]
  }),
)

function mayBeNull(column: string): boolean | null {
  return column.includes(' generated ') ? null : !column.includes(' not null')
}

/** Returns the columns of a selected row for each member of `Tables`, as the TypeScript compiler sees them. */
function typedTables(): Map<string, Columns> {
  // Uses the TypeScript version that the contract's tests have installed, which is the last one with a compiler API.
  const ts: typeof import('../../../contract/node_modules/typescript/lib/typescript.js') = createRequire(
    new URL('../../../contract/package.json', import.meta.url),
  )('typescript')
  const file = fileURLToPath(new URL('tables.ts', import.meta.url))
  const program = ts.createProgram([file], {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    allowImportingTsExtensions: true,
    module: ts.ModuleKind.NodeNext,
    target: ts.ScriptTarget.ESNext,
    types: ['node'],
  })
  const checker = program.getTypeChecker()
  const source = program.getSourceFile(file)
  const exported = source && checker.getSymbolAtLocation(source)
  const tables = exported && checker.getExportsOfModule(exported).find(({ name }) => name === 'Tables')
  if (!tables) throw new Error('tables.ts exports no Tables.')
  const nullable = (
    symbol: import('../../../contract/node_modules/typescript/lib/typescript.js').Symbol,
  ): boolean | null => {
    const type = checker.getTypeOfSymbol(symbol)
    const selected = type.getProperty('__select__')
    const read = selected ? checker.getTypeOfSymbol(selected) : type
    if (read.flags & (ts.TypeFlags.Unknown | ts.TypeFlags.Any)) return null
    return (read.isUnion() ? read.types : [read]).some(({ flags }) => (flags & ts.TypeFlags.Null) !== 0)
  }
  return new Map(
    checker
      .getDeclaredTypeOfSymbol(tables)
      .getProperties()
      .map((table): [string, Columns] => [
        table.name,
        new Map(
          checker
            .getTypeOfSymbol(table)
            .getProperties()
            .map((column) => [column.name, { nullable: nullable(column) }]),
        ),
      ]),
  )
}

function differences(table: string, typed: Columns): string[] {
  const there = inDatabase.get(table)
  if (!there) return [`${table} is not in the database`]
  const wrong = [...typed].flatMap(([name, { nullable }]) => {
    const column = there.get(name)
    if (!column) return [`${table}.${name} is not in the database`]
    const isKnown = column.nullable !== null && nullable !== null
    return isKnown && column.nullable !== nullable
      ? [`${table}.${name} is ${column.nullable ? 'nullable' : 'not nullable'} in the database`]
      : []
  })
  const untyped = [...there.keys()].filter((name) => !typed.has(name))
  return [...wrong, ...untyped.map((name) => `${table}.${name} is not in tables.ts`)]
}

test('each table that is typed has the columns of the database, null where they may be', () => {
  expect([...typedTables()].flatMap(([table, columns]) => differences(table, columns))).toEqual([])
})

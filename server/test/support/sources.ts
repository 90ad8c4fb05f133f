// In charge of reading the repository's own files for the tests about its architecture: what each one imports,
// and its text without comments, strings and regular expressions.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

/** One import or re-export. `to` is a file of this repository, or the import text if it names a package. */
interface Import {
  to: string
  typeOnly: boolean
}

/** One source file; `file` is relative to the repository, with forward slashes. */
export interface Source {
  file: string
  text: string
  /** The text with comments, strings and regular expressions blanked out; line numbers stay the same. */
  code: string
  comments: { line: number; text: string }[]
  imports: Import[]
  /** True for a file that only re-exports from other files. */
  isBarrel: boolean
}

const root = path.resolve(import.meta.dirname, '../../..')
const notOurs = new Set(['.git', '.artifacts', 'node_modules', 'data', 'dist'])

/** Every text file of the repository; folders that git ignores are skipped by name. */
export function readTexts(folder = ''): { file: string; text: string }[] {
  return readdirSync(path.join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    if (notOurs.has(entry.name) || entry.name.endsWith('.log')) return []
    const file = path.posix.join(folder, entry.name)
    if (entry.isDirectory()) return readTexts(file)
    if (!entry.isFile()) return []
    const text = readFileSync(path.join(root, file), 'utf8')
    return text.includes('\0') ? [] : [{ file, text }]
  })
}

/** Parses the imports and comments of one file from its text. */
export function parseSource(file: string, text: string): Source {
  const comments: Source['comments'] = []
  const uncommented = text.replace(tokens, (token, offset: number) => {
    if (!isComment(token)) return token
    comments.push({ line: lineAt(text, offset), text: token })
    return blank(token)
  })
  const code = uncommented.replace(tokens, blank)
  const statements = [...uncommented.matchAll(imports)]
  const rest = statements.reduce((remaining, [statement]) => remaining.replace(statement, ''), uncommented)
  return {
    file,
    text,
    code,
    comments,
    imports: [
      ...statements.map(({ groups }) => toImport(file, groups?.to, groups?.type !== undefined)),
      ...[...uncommented.matchAll(dynamicImports)].map(({ groups }) => toImport(file, groups?.to, false)),
    ],
    isBarrel: rest.trim() === '' && statements.some(([statement]) => statement.startsWith('export')),
  }
}

/** The line number, from 1, of every match of a pattern in a text. */
export function linesOf(pattern: RegExp, text: string): number[] {
  return [...text.matchAll(pattern)].map(({ index }) => lineAt(text, index))
}

/** Import cycles among the given files, each once, as a list of files in order; type-only imports do not count. */
export function cyclesAmong(sources: Source[]): string[][] {
  const byFile = new Map(sources.map((source) => [source.file, source]))
  const done = new Set<string>()
  const cycles: string[][] = []
  const visit = (file: string, trail: string[]): void => {
    if (trail.includes(file)) cycles.push([...trail.slice(trail.indexOf(file)), file])
    if (trail.includes(file) || done.has(file)) return
    for (const { to, typeOnly } of byFile.get(file)?.imports ?? []) if (!typeOnly) visit(to, [...trail, file])
    done.add(file)
  }
  for (const { file } of sources) visit(file, [])
  return cycles
}

/** Matches comments, strings, templates, and regular expressions where an expression may start. */
const tokens = new RegExp(
  [
    /\/\/[^\n]*|\/\*[\s\S]*?\*\//,
    /'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\[\s\S]|[^`\\])*`/,
    /(?<=(?:[(,=:[!&|?{};\n]|\breturn)\s*)\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[*])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])*\/[a-z]*/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'g',
)
const imports =
  /^(?:import|export)\s+(?<type>type\s+(?!from\b|,))?(?:[\w*{}\s,$]+?\s*from\s+)?['"](?<to>[^'"\n]+)['"];?/gm
const dynamicImports = /\bimport\(\s*['"](?<to>[^'"\n]+)['"]/g

function isComment(token: string): boolean {
  return token.startsWith('//') || token.startsWith('/*')
}

function blank(token: string): string {
  return token.replace(/[^\n]/g, ' ')
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length
}

function toImport(file: string, written = '', typeOnly: boolean): Import {
  const contract = /^@atelier\/contract\/(.*)$/.exec(written)
  if (contract) return { to: `contract/src/${contract[1]}`, typeOnly }
  return { to: written.startsWith('.') ? path.posix.join(path.posix.dirname(file), written) : written, typeOnly }
}

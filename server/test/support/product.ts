// In charge of what tests about the code itself share: the sources, and how rule violations are reported.
import { expect } from 'vitest'
import { linesOf, parseSource, readTexts, type Source } from './sources.ts'

export const texts = readTexts()
const isCode = /^(?:contract|server|bench|web|scripts|e2e)\/.*\.(?:ts|tsx|mts|mjs|js|sql|css)$|^[^/]*\.(?:ts|mjs)$/
export const sources = texts.filter(({ file }) => isCode.test(file)).map(({ file, text }) => parseSource(file, text))
export const isTest = ({ file }: Source) => /\.test\.tsx?$|^server\/test\/|^e2e\//.test(file)
export const product = sources.filter((source) => !isTest(source))

/** Fails with an instruction and a list of all violations, unless there are none. */
export function expectNone(offenders: string[], whatToDo: string): void {
  if (offenders.length > 0) expect.fail(`${whatToDo}\n  ${offenders.toSorted().join('\n  ')}`)
}

/** Imports of product code that break a rule: `why` returns what is wrong with an import, or null if the import is allowed. */
export function badImports(why: (from: string, to: string) => string | null): string[] {
  return product.flatMap(({ file, imports }) =>
    imports.flatMap(({ to }) => {
      const reason = why(file, to)
      return reason === null ? [] : [`${file} imports ${to}${reason && `: ${reason}`}`]
    }),
  )
}

/** `file:line` of every match of a pattern in the part of each source that `part` returns. */
export function places(pattern: RegExp, part: (source: Source) => string, among = sources): string[] {
  return among.flatMap((source) => linesOf(pattern, part(source)).map((line) => `${source.file}:${line}`))
}

export function commentsWith(pattern: RegExp, among = sources): string[] {
  return among.flatMap(({ file, comments }) =>
    comments.filter(({ text }) => pattern.test(text)).map(({ line }) => `${file}:${line}`),
  )
}

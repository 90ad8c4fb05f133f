// In charge of reading this version's migrations, which are numbered SQL files, and the list of their releases.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { isVersion } from './version.ts'

export type Migration = {
  number: number
  name: string
  text: string
  checksum: string
  /** The release that first contained the migration; null if no release contains it yet. */
  release: string | null
  /** The oldest version that can work with the schema after this migration; null if no version before its release can. */
  worksFrom: string | null
}

/** The names and checksums of released files, by release. `npm run release` adds entries; existing entries never change. */
export type Released = Record<string, Record<string, string>>

const folder = new URL('../../migrations/', import.meta.url)

/** Returns the migrations of this version in order. */
export function readMigrations(from = folder): Migration[] {
  const releases = new Map(
    Object.entries(readReleased(from)).flatMap(([release, files]) =>
      Object.keys(files).map((file) => [file, release] as const),
    ),
  )
  const reworded = readReworded(from)
  return readdirSync(from)
    .filter((file) => file.endsWith('.sql'))
    .toSorted()
    .map((file) => {
      const text = readFileSync(new URL(file, from), 'utf8')
      const checksum = checksumOf(text)
      const [digits = '', ...words] = file.replace('.sql', '').split('_')
      return {
        ...{ number: Number(digits), name: words.join('_'), text, checksum: reworded[checksum] ?? checksum },
        ...{ release: releases.get(file) ?? null, worksFrom: worksFromOf(text) ?? null },
      }
    })
}

export const readReleased = (from = folder): Released =>
  JSON.parse(readFileSync(new URL('released.json', from), 'utf8'))

/**
 * Returns a map from the checksum of a file whose comments were reworded to the checksum that the file had at first. The first
 * checksum stays the file's checksum, because databases and other versions have it.
 */
const readReworded = (from: URL): Record<string, string> =>
  JSON.parse(readFileSync(new URL('reworded.json', from), 'utf8'))

/** Returns the file name of a migration. */
export const fileOf = ({ number, name }: Pick<Migration, 'number' | 'name'>): string =>
  `${String(number).padStart(4, '0')}_${name}.sql`

const checksumOf = (text: string) => createHash('sha256').update(text).digest('hex')

/**
 * Reads what the comment at the top of a file states about older versions. `-- works with: 0.2.0` contains the oldest version that
 * can use the new schema. `-- works with: no older version` results in null. If there is no such line, the result is undefined.
 */
export function worksFromOf(text: string): string | null | undefined {
  const opening = /^(?:--[^\n]*\n)*/.exec(text)?.[0] ?? ''
  const said = opening.split('\n').filter((line) => /^-+\s*works\b/i.test(line))
  const [line] = said
  if (line === undefined) return undefined
  const [, oldest = ''] = /^-- works with: (.+)$/.exec(line) ?? []
  if (said.length === 1 && oldest === 'no older version') return null
  if (said.length === 1 && isVersion(oldest)) return oldest
  throw new Error(
    `A migration says “${said.join('; ')}”: write “-- works with: 0.2.0” or “-- works with: no older version”.`,
  )
}

const comments = /--[^\n]*|\/\*[\s\S]*?\*\//g

/** Splits a file into its SQL statements, at the semicolons that are not inside quotes, dollar quotes or comments. */
export function statementsOf(text: string): string[] {
  const statements: string[] = []
  let from = 0
  const token = /--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|"(?:[^"]|"")*"|(\$\w*\$)[\s\S]*?\1|;/g
  for (const match of text.matchAll(token)) {
    if (match[0] !== ';') continue
    statements.push(text.slice(from, match.index))
    from = match.index + 1
  }
  const rest = text.slice(from)
  const isOver = rest.replaceAll(comments, '').trim() === ''
  return [...statements, ...(isOver ? [] : [rest])].map((statement) => statement.trim())
}

/** Returns the names of the tables that some migrations create; a later one may have dropped a table again. */
export const tablesMadeBy = (migrations: readonly Migration[]): ReadonlySet<string> =>
  new Set(
    migrations.flatMap(({ text }) =>
      [...text.matchAll(/^create (?:unlogged )?table (?:if not exists )?(\w+)/gim)].flatMap(([, name]) => name ?? []),
    ),
  )

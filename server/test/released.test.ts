// Facts about releases: released migrations stay unchanged, new ones name the versions they work with, and one command releases.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { changelogOf, faultsOf, freeze, lockWithVersion, versioned, withVersion } from '../../scripts/releasing.ts'
import { fileOf, type Migration, readMigrations, readReleased } from '../src/platform/migration-files.ts'
import { compareVersions, isVersion, productVersion } from '../src/platform/version.ts'

const root = path.resolve(import.meta.dirname, '../..')
const textOf = (file: string): string => readFileSync(path.join(root, file), 'utf8')

test('released migrations are as they were released, and new ones follow the rules', () => {
  expect(faultsOf(readReleased(), readMigrations(), productVersion)).toEqual([])
  const released = Object.entries(readReleased()).flatMap(([release, files]) =>
    Object.keys(files).map((file) => [file, release]),
  )
  expect(released.slice(0, 7).map(([file]) => file?.slice(0, 4))).toEqual(
    readMigrations()
      .slice(0, 7)
      .map((it) => fileOf(it).slice(0, 4)),
  )
  expect(released.every(([, release]) => isVersion(release ?? ''))).toBe(true)
})

test('a migration whose comments were reworded keeps its first checksum, which databases have', () => {
  const folder = 'server/migrations'
  const reworded: Record<string, string> = JSON.parse(textOf(`${folder}/reworded.json`))
  const now = readMigrations().map(({ text, checksum }) => ({
    sum: createHash('sha256').update(text).digest('hex'),
    first: checksum,
  }))
  for (const { sum, first } of now) expect(first).toBe(reworded[sum] ?? sum)
  const unused = Object.keys(reworded).filter((key) => !now.some(({ sum }) => sum === key))
  expect(unused, 'no file has these checksums now: was one changed without a new entry?').toEqual([])
})

test('every package, and the lock file, say the same version', () => {
  for (const file of versioned) expect(withVersion(textOf(file), productVersion), file).toBe(textOf(file))
  expect(JSON.parse(lockWithVersion(textOf('package-lock.json'), productVersion))).toEqual(
    JSON.parse(textOf('package-lock.json')),
  )
})

describe('migrations', () => {
  const made = (number: number, members: Partial<Migration> = {}): Migration => ({
    ...{ number, name: `made_${number}`, text: '', checksum: `sum ${number}`, release: null, worksFrom: null },
    ...members,
  })
  const saying = (number: number, said: string, members: Partial<Migration> = {}): Migration =>
    made(number, { text: `-- works with: ${said}\nselect 1;`, ...members })
  const released = { '0.2.0': { '0001_made_1.sql': 'sum 1', '0002_made_2.sql': 'sum 2' } }
  const both = [made(1, { release: '0.2.0' }), made(2, { release: '0.2.0' })]

  test.each<[string, Migration[], RegExp]>([
    [
      'is edited',
      [made(1, { release: '0.2.0', checksum: 'another' }), ...both.slice(1)],
      /^0001_made_1.sql came with 0.2.0 and was edited/,
    ],
    ['is removed', both.slice(0, 1), /^0002_made_2.sql came with 0.2.0 and is gone/],
    ['is renamed', [...both.slice(0, 1), made(2, { name: 'renamed' })], /^0002_made_2.sql came with 0.2.0 and is gone/],
  ])('one that is released and %s is a fault', (_, migrations, fault) => {
    expect(faultsOf(released, both, '0.2.0')).toEqual([])
    expect(faultsOf(released, migrations, '0.2.0')[0]).toMatch(fault)
  })

  test('a number that is left out or used twice is a fault, and so is a new one before a released one', () => {
    expect(faultsOf({}, [made(1), made(3)], '0.2.0')).toEqual(['0003_made_3.sql should have the number 2.'])
    expect(faultsOf({}, [made(1), made(1, { name: 'x' })], '0.2.0')).toEqual(['0001_x.sql should have the number 2.'])
    const second = { '0.2.0': { '0002_made_2.sql': 'sum 2' } }
    expect(faultsOf(second, [made(1), made(2, { release: '0.2.0' })], '0.2.0')).toEqual([
      '0001_made_1.sql is new, and stands before one that is released: give it the next number.',
    ])
  })

  test('one for a version after the first says which older ones it works with', () => {
    expect(faultsOf(released, [...both, made(3)], '0.2.0')).toEqual([])
    expect(faultsOf(released, [...both, made(3)], '0.3.0')).toEqual([
      '0003_made_3.sql does not say what older versions it works with: “-- works with: 0.2.0” or “… no older version”.',
    ])
  })

  test.each([
    ['0.3.0', '0.2.0', true],
    ['0.3.0', 'no older version', true],
    ['0.3.1', '0.3.0', true],
    ['0.4.0', '0.2.0', false],
    ['0.3.0', '0.4.0', false],
    ['0.3.0', '0.1.0', false],
    ['1.0.0', '0.9.0', true],
    ['2.0.0', '0.9.0', false],
  ])('in %s one may say “works with: %s”: %s', (version, said, may) => {
    expect(faultsOf(released, [...both, saying(3, said)], version)).toHaveLength(may ? 0 : 1)
    expect(faultsOf(released, [...both, saying(3, said, { release: version })], '9.9.9')).toHaveLength(may ? 0 : 1)
  })

  test('a release freezes those that are new, and changes nothing where there are none', () => {
    expect(freeze(released, [...both, made(3)], '0.3.0')).toEqual({
      ...released,
      '0.3.0': { '0003_made_3.sql': 'sum 3' },
    })
    const more = { '0.2.0': { ...released['0.2.0'], '0003_made_3.sql': 'sum 3' } }
    expect(freeze(released, [...both, made(3)], '0.2.0')).toEqual(more)
    expect(freeze(released, both, '0.3.0')).toBe(released)
  })
})

describe('files', () => {
  test('a version is put where ours is, and nowhere else', () => {
    const text =
      '{\n  "name": "@atelier/web",\n  "version": "0.1.0",\n  "dependencies": { "@atelier/contract": "0.1.0", "x": "0.1.0" }\n}\n'
    expect(JSON.parse(withVersion(text, '0.2.0'))).toEqual({
      name: '@atelier/web',
      version: '0.2.0',
      dependencies: { '@atelier/contract': '0.2.0', x: '0.1.0' },
    })
    const lock = textOf('package-lock.json')
    const [before, after] = [lock, lockWithVersion(lock, '7.8.9')].map((text) => text.split('\n'))
    const changed = after?.filter((line, at) => line !== before?.[at]) ?? []
    expect(changed).toHaveLength(7)
    expect(changed.every((line) => line.includes('7.8.9'))).toBe(true)
  })

  test('what was unreleased in the changelog stands under the version, without empty headings', () => {
    const text = '# Changelog\n\n## Unreleased\n\n### Added\n\n### Fixed\n- One.\n\n### Before\n\n**Area**\n- Two.\n'
    const once = changelogOf(text, '0.2.0', '2026-11-22')
    const open = '# Changelog\n\n## Unreleased\n\n### Added\n\n### Changed\n\n### Fixed\n\n'
    const first = '## 0.2.0 (2026-11-22)\n\n### Fixed\n- One.\n\n### Before\n\n**Area**\n- Two.\n'
    expect(once).toBe(open + first)
    expect(() => changelogOf(once, '0.3.0', '2026-12-01')).toThrow('has nothing under “## Unreleased”')
    const more = once.replace('### Changed\n', '### Changed\n- Three.\n')
    expect(changelogOf(more, '0.3.0', '2026-12-01')).toBe(
      `${open}## 0.3.0 (2026-12-01)\n\n### Changed\n- Three.\n\n${first}`,
    )
    expect(textOf('CHANGELOG.md')).toContain('\n## Unreleased\n')
  })

  test.each([
    ['0.2.0', '0.10.0', -1],
    ['0.2.1', '0.2.0', 1],
    ['1.0.0', '0.99.99', 1],
    ['0.2.0', '0.2.0', 0],
  ])('%s compared with %s: %i', (one, other, sign) => {
    expect(Math.sign(compareVersions(one, other))).toBe(sign)
  })
})

// In charge of the rules for releases: which migrations must not change any more, which faults prevent a release, and how the
// version is written to files.
import { fileOf, type Migration, type Released, worksFromOf } from '../server/src/platform/migration-files.ts'
import { compareVersions } from '../server/src/platform/version.ts'

/** The first release. Its migrations need no line `-- works with:`, because no older version exists. */
export const firstRelease = '0.2.0'

/** The files that contain the version of the product. */
export const versioned = ['package.json', 'contract/package.json', 'server/package.json', 'web/package.json']

/** Returns `released` with the unreleased migrations added to it, as migrations that `version` released. */
export function freeze(released: Released, migrations: readonly Migration[], version: string): Released {
  const added = migrations.filter(({ release }) => release === null)
  if (added.length === 0) return released
  const files = Object.fromEntries(added.map((migration) => [fileOf(migration), migration.checksum]))
  return { ...released, [version]: { ...released[version], ...files } }
}

/** Returns the faults of all migrations, each with a remedy; `version` is the version about to be released. */
export function faultsOf(released: Released, migrations: readonly Migration[], version: string): string[] {
  const there = new Map(migrations.map((migration) => [fileOf(migration), migration]))
  const lost = Object.entries(released).flatMap(([release, files]) =>
    Object.entries(files).flatMap(([file, checksum]) => {
      const found = there.get(file)
      if (!found) return [`${file} came with ${release} and is gone: put it back, under its name.`]
      return found.checksum === checksum
        ? []
        : [`${file} came with ${release} and was edited: put it back, and add another.`]
    }),
  )
  const misnumbered = migrations.flatMap((migration, index) =>
    migration.number === index + 1 ? [] : [`${fileOf(migration)} should have the number ${index + 1}.`],
  )
  const newest = Math.max(0, ...migrations.flatMap(({ number, release }) => (release === null ? [] : [number])))
  const early = migrations.flatMap((migration) =>
    migration.release === null && migration.number < newest
      ? [`${fileOf(migration)} is new, and stands before one that is released: give it the next number.`]
      : [],
  )
  return [...lost, ...misnumbered, ...early, ...migrations.flatMap((migration) => faultsOfOne(migration, version))]
}

function faultsOfOne(migration: Migration, version: string): string[] {
  const release = migration.release ?? version
  if (compareVersions(release, firstRelease) <= 0) return []
  const oldest = worksFromOf(migration.text)
  if (oldest === null) return []
  const file = fileOf(migration)
  if (oldest === undefined) {
    return [`${file} does not say what older versions it works with: “-- works with: 0.2.0” or “… no older version”.`]
  }
  const isOneApart =
    compareVersions(oldest, firstRelease) >= 0 && compareVersions(oldest, release) <= 0 && isNear(oldest, release)
  return isOneApart ? [] : [`${file} works with ${oldest}, which is not the version before ${release}.`]
}

/**
 * Whether `oldest` is at most one minor version older than `release`. If the major version of `release` is higher by one, every
 * minor version of `oldest` is accepted, since the last version before that major version is not known here.
 */
function isNear(oldest: string, release: string): boolean {
  const [[major = 0, minor = 0], [toMajor = 0, toMinor = 0]] = [numbersOf(oldest), numbersOf(release)]
  return major === toMajor ? toMinor - minor <= 1 : toMajor - major === 1
}

const numbersOf = (version: string): number[] => version.split('.').map(Number)

/** Returns a package.json with the product's version replaced; versions of other packages are kept. */
export function withVersion(packageJson: string, version: string): string {
  return packageJson
    .replace(/^( {2}"version": )"[^"]*"/m, `$1"${version}"`)
    .replaceAll(/("@atelier\/\w+": )"[^"]*"/g, `$1"${version}"`)
}

type Lock = { version: string; packages: Record<string, { version?: string; dependencies?: Record<string, string> }> }

/** Returns the lock file with the product's version replaced. */
export function lockWithVersion(text: string, version: string): string {
  const lock: Lock = JSON.parse(text)
  lock.version = version
  for (const place of ['', 'contract', 'server', 'web']) {
    const entry = lock.packages[place]
    if (!entry) throw new Error(`package-lock.json has no entry for “${place}”: run npm install.`)
    entry.version = version
    for (const name of Object.keys(entry.dependencies ?? {})) {
      if (name.startsWith('@atelier/') && entry.dependencies) entry.dependencies[name] = version
    }
  }
  return `${JSON.stringify(lock, null, 2)}\n`
}

/** Returns the changelog with the unreleased entries moved below the new version; headings without entries are removed. */
export function changelogOf(text: string, version: string, date: string): string {
  const [, before = '', unreleased = '', rest = ''] =
    /^([\s\S]*?\n)## Unreleased\n([\s\S]*?)((?:\n## [\s\S]*)?)$/.exec(text) ?? []
  const kept = unreleased.replaceAll(/^### [^\n]*\n+(?=### |(?![\s\S]))/gm, '').trim()
  if (!/^- /m.test(kept))
    throw new Error('CHANGELOG.md has nothing under “## Unreleased”: what does this release bring?')
  return `${before}## Unreleased\n\n### Added\n\n### Changed\n\n### Fixed\n\n## ${version} (${date})\n\n${kept}\n${rest}`
}

// In charge of `npm run release -- 0.3.0`: edits all files for a release. A person then reviews, tests and commits the changes.
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { readMigrations, readReleased } from '../server/src/platform/migration-files.ts'
import { compareVersions, isVersion, productVersion } from '../server/src/platform/version.ts'
import { changelogOf, faultsOf, freeze, lockWithVersion, versioned, withVersion } from './releasing.ts'

const root = path.resolve(import.meta.dirname, '..')
const [version = ''] = process.argv.slice(2)
const faults = faultsOfRelease()
if (faults.length > 0) {
  console.error(`This is no release yet:\n${faults.map((fault) => `  - ${fault}`).join('\n')}`)
  process.exit(1)
}
const edit = (file: string, change: (text: string) => string): void => {
  const place = path.join(root, file)
  writeFileSync(place, change(readFileSync(place, 'utf8')))
}
edit('CHANGELOG.md', (text) => changelogOf(text, version, new Date().toISOString().slice(0, 10)))
for (const file of versioned) edit(file, (text) => withVersion(text, version))
edit('package-lock.json', (text) => lockWithVersion(text, version))
const released = freeze(readReleased(), readMigrations(), version)
edit('server/migrations/released.json', () => `${JSON.stringify(released, null, 2)}\n`)
console.log(`Files say ${version}. Filling a database of it …`)
// Other processes do this, because this process has already loaded the previous version number.
const isDone = (file: string): boolean =>
  spawnSync(process.execPath, [path.join(root, file)], { cwd: root, stdio: 'inherit' }).status === 0
if (!isDone('server/test/support/node-shapes.ts')) {
  console.error('The shapes of node types were not written. Mend that, and begin again (docs/releasing.md).')
  process.exit(1)
}
if (!isDone('server/test/support/filling/main.ts')) {
  console.error('No database was filled. Mend that, then: npm run fixture')
  process.exit(1)
}
console.log(`Now: npm run test:all, then commit as “Release ${version}” and tag v${version} (docs/releasing.md).`)

function faultsOfRelease(): string[] {
  if (!isVersion(version)) return ['Say the version: npm run release -- 0.3.0']
  const changed = spawnSync('git', ['status', '--porcelain'], { cwd: root, encoding: 'utf8' }).stdout
  const isNewer = compareVersions(version, productVersion) > 0
  return [
    ...(changed === '' ? [] : [`There are changes that are not committed:\n${changed.trimEnd()}`]),
    ...(isNewer ? [] : [`${version} is not newer than ${productVersion}, which this is already.`]),
    ...faultsOf(readReleased(), readMigrations(), version),
  ]
}

// Facts about what is printed of a failed command: a sentence for what an operator can mend, and all of a bug.
import { expect, test } from 'vitest'
import { FolderInUse } from '../platform/folder-lock.ts'
import { OperatorError } from '../platform/operator-error.ts'
import { sayFailure } from './failures.ts'

const failed = (code: string, message: string) => Object.assign(new Error(message), { code })

test.each([
  [new OperatorError('Set PORT.'), 'Set PORT.'],
  [
    failed('EROFS', "EROFS: read-only file system, open '/data/x'"),
    "A folder is on a disk that is mounted to be read only: EROFS: read-only file system, open '/data/x'.",
  ],
  [
    failed('53100', 'could not extend file "base/1/2": No space left on device'),
    'The database cannot do this just now: could not extend file "base/1/2": No space left on device. Start again when it can.',
  ],
])('%s is told in a sentence', (error, said) => {
  expect(sayFailure(error)).toBe(said)
})

test('a bug is told with its stack', () => {
  const bug = failed('42703', 'column "x" does not exist')
  expect(sayFailure(bug)).toBe(bug)
})

test('a service whose data folder is in use may take another one; a command that is about this folder waits for its turn', () => {
  const inUse = new FolderInUse('/data', 'process 7 on host')
  const who = 'The embedded database in /data is open in process 7 on host. It takes one process only: stop that one, '
  expect(sayFailure(inUse)).toBe(
    `${who}set ATELIER_DATA_DIR to another folder, or set DATABASE_URL to a PostgreSQL server, which any number of processes can share.`,
  )
  expect(sayFailure(inUse, 'move')).toBe(`${who}and say this again.`)
})

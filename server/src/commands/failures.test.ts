// Facts about what is printed of a failed command: a sentence for what an operator can mend, and all of a bug.
import { expect, test } from 'vitest'
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

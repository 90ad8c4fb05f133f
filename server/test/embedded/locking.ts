// In charge of a process for a test that locks a folder while it may write nothing to the disk, as on a full one, and prints that it
// has. Usage: `node locking.ts <folder>`
import { execFileSync } from 'node:child_process'
import { lockFolder } from '../../src/platform/folder-lock.ts'

/** Sets how many bytes a file may get that this process writes. */
const limitFiles = (bytes: string): Buffer =>
  execFileSync('prlimit', ['--pid', String(process.pid), `--fsize=${bytes}:`])

// Without a listener, this signal would end the process at the first byte that it writes.
process.on('SIGXFSZ', () => undefined)
limitFiles('0')
const lock = lockFolder(process.argv[2] ?? '')
limitFiles('unlimited') // at its end Node.js may write what it compiled
process.stdout.write('locked\n')
lock.release()

// Facts about what is logged while the database does not do what repeated work asks of it.
import { beforeEach, expect, test } from 'vitest'
import { createLog } from '../../platform/log.ts'
import { repeat } from './repeat.ts'
import { createTrouble } from './trouble.ts'

let lines: { msg: string; level: string; why?: string; run?: string; err?: unknown }[]
beforeEach(() => {
  lines = []
})
const log = createLog('info', { write: (line) => void lines.push(JSON.parse(line)) })
const onlyReads = Object.assign(new Error('cannot execute UPDATE in a read-only transaction'), { code: '25006' })

test('a database that only reads is logged once for all turns of the worker, without a stack, and once when it is over', async () => {
  const stopping = new AbortController()
  const outcomes: (Error | null)[] = [onlyReads, onlyReads, onlyReads, null, null, onlyReads]
  const work = async (): Promise<void> => {
    const outcome = outcomes.shift()
    if (outcomes.length === 0) stopping.abort()
    if (outcome) throw outcome
  }
  await repeat({ seconds: 0, work, signal: stopping.signal, log }).start()
  const away = { why: onlyReads.message, msg: 'the worker cannot use the database; it tries again' }
  expect(lines).toMatchObject([away, { msg: 'the database does again what the worker asks of it' }, away])
  for (const line of lines) expect(line).not.toHaveProperty('err')
})

test('a turn that meets trouble with several runs is one line, and a bug has a line and a stack each time', () => {
  const trouble = createTrouble(log, { away: 'away', bug: 'bug' })
  for (let turn = 0; turn < 2; turn++) {
    for (const run of ['one', 'two']) trouble.met(onlyReads, { run })
    trouble.met(new TypeError('made up'), { run: 'three' })
    trouble.turned()
  }
  const bug = { msg: 'bug', run: 'three', err: { stack: expect.any(String) } }
  expect(lines).toMatchObject([{ msg: 'away', run: 'one' }, bug, bug])
})

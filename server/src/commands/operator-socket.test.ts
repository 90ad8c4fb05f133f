// Facts about commands that send a request to a running service: the response, and the error if the service stops before it responds.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { answerOperator, askRunning } from './operator-socket.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'atelier-socket-'))
})
afterAll(() => rm(folder, { recursive: true }))

test('a service answers with the result or with what went wrong; where none runs there is no answer', async () => {
  expect(await askRunning(folder, 'greet')).toBeNull()
  const end = await answerOperator(folder, {
    greet: async () => 'hello',
    fail: () => Promise.reject(new Error('no room')),
  })
  expect(await askRunning(folder, 'greet')).toBe('hello')
  await expect(askRunning(folder, 'fail')).rejects.toThrow('The running service could not do it: no room')
  end()
})

test('a service that stops before it has answered is told in a sentence', async () => {
  const asked = Promise.withResolvers<void>()
  const end = await answerOperator(folder, {
    snapshot: () => {
      asked.resolve()
      return new Promise(() => undefined)
    },
  })
  const answer = askRunning(folder, 'snapshot')
  const stopped = asked.promise.then(end)
  await expect(answer).rejects.toThrow('The service stopped before it had answered: try again')
  await stopped
})

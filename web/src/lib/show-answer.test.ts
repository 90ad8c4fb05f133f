// Facts about showing the answer of a request that has changed a record.
import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { showAnswer } from './show-answer.ts'

const queryKey = ['record']

/** A page that shows a record. Each read of the record waits in `reads` until the test gives its answer. */
function shownRecord(first: string) {
  const client = new QueryClient()
  const reads: ((answer: string) => void)[] = []
  const queryFn = () => new Promise<string>((resolve) => reads.push(resolve))
  const observer = new QueryObserver(client, {
    queryKey,
    queryFn,
    initialData: first,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const leave = observer.subscribe(() => undefined)
  const request = Promise.withResolvers<string>()
  const done = showAnswer(client, queryKey, request.promise, (answer) => client.setQueryData(queryKey, answer))
  return {
    ...{ reads, done, answer: request.resolve },
    shown: () => client.getQueryData(queryKey),
    change: () => void client.invalidateQueries({ queryKey }),
    leave: () => {
      leave()
      client.clear()
    },
  }
}

test('an answer is shown, and nothing is read again', async () => {
  const page = shownRecord('1')
  page.answer('2')
  await page.done
  expect(page.shown()).toBe('2')
  expect(page.reads.length).toBe(0)
  page.leave()
})

test('a late answer does not replace what was read meanwhile: the record is read again', async () => {
  const page = shownRecord('1')
  page.change()
  page.reads[0]?.('3')
  await expect.poll(page.shown).toBe('3')
  page.answer('2')
  await expect.poll(() => page.reads.length).toBe(2)
  expect(page.shown()).toBe('3')
  page.reads[1]?.('4')
  await page.done
  expect(page.shown()).toBe('4')
  page.leave()
})

test('a read that is under way neither replaces a newer answer nor is given up for it', async () => {
  const page = shownRecord('1')
  page.change()
  page.answer('2')
  await expect.poll(() => page.reads.length).toBe(2)
  expect(page.shown()).toBe('2')
  page.reads[0]?.('1')
  page.reads[1]?.('3')
  await page.done
  expect(page.shown()).toBe('3')
  page.leave()
})

test('a record that is not shown yet is given the answer', async () => {
  const client = new QueryClient()
  await showAnswer(client, queryKey, Promise.resolve('1'), (answer) => client.setQueryData(queryKey, answer))
  expect(client.getQueryData(queryKey)).toBe('1')
  client.clear()
})

// Facts about addresses that are pasted into the command palette.
import { expect, test } from 'vitest'
import { addressIn } from './addresses.ts'

const origin = 'https://atelier.example.org'

test.each([
  ['/tasks/01a2', 'Open this task', '/tasks/01a2'],
  [' /tasks/01a2?q=x#creatives\n', 'Open this task', '/tasks/01a2?q=x#creatives'],
  ['/graphs/01a2', 'Open this graph', '/graphs/01a2'],
  ['/runs/01a2', 'Open this run', '/runs/01a2'],
  ['/money', 'Open this page', '/money'],
  ['/?layout=gallery', 'Open this page', '/?layout=gallery'],
])('%s is an address', (text, title, path) => {
  expect(addressIn(text.replace('/', `${origin}/`), origin)).toEqual({ title, path })
})

test.each([
  'tasks',
  '/tasks/01a2',
  'https://elsewhere.example.org/tasks/01a2',
  'http://atelier.example.org/tasks/01a2',
  `${origin}/api/v1/tasks`,
  `${origin}/guest`,
  `${origin}/tasks/a/b`,
  'https://',
  `see ${origin}/tasks/01a2`,
])('“%s” is none', (text) => {
  expect(addressIn(text, origin)).toBeNull()
})

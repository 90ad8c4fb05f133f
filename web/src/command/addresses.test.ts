// Facts about addresses that are pasted into the command palette.
import { expect, test } from 'vitest'
import { addressIn } from './addresses.ts'

const origin = 'https://atelier.example.org'
const routes = ['/', '/tasks/$task_id', '/graphs/$graph_id', '/runs', '/runs/$run_id', '/money', '/notices/settings']

test.each([
  ['/tasks/01a2', 'Open this task', '/tasks/01a2'],
  [' /tasks/01a2?q=x#creatives\n', 'Open this task', '/tasks/01a2?q=x#creatives'],
  ['/graphs/01a2', 'Open this graph', '/graphs/01a2'],
  ['/runs/01a2', 'Open this run', '/runs/01a2'],
  ['/runs', 'Open this page', '/runs'],
  ['/notices/settings', 'Open this page', '/notices/settings'],
  ['/?layout=gallery', 'Open this page', '/?layout=gallery'],
])('%s is an address', (text, title, path) => {
  expect(addressIn(text.replace('/', `${origin}/`), origin, routes)).toEqual({ title, path })
})

test.each([
  'tasks',
  '/tasks/01a2',
  'https://elsewhere.example.org/tasks/01a2',
  'http://atelier.example.org/tasks/01a2',
  `${origin}/api/v1/tasks`,
  `${origin}/tasks`,
  `${origin}/tasks/`,
  `${origin}/tasks/a/b`,
  'https://',
  `see ${origin}/tasks/01a2`,
])('“%s” is none', (text) => {
  expect(addressIn(text, origin, routes)).toBeNull()
})

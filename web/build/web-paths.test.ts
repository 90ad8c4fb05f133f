// Facts about the addresses of the app: the server and the router have the same ones, and `lazyPages` names the modules of each.
import { readFileSync } from 'node:fs'
import { webPaths } from '@atelier/contract/wire/web-paths.ts'
import { expect, test } from 'vitest'
import { lazyPages } from './pages.ts'

const router = readFileSync(new URL('../src/router.tsx', import.meta.url), 'utf8')

test('the server answers with the app where the router has a page, and nowhere else', () => {
  const paths = [...router.matchAll(/path: '([^']+)'/g)].map(([, path = '']) => path.replaceAll('$', ':'))
  expect(paths.toSorted()).toEqual([...webPaths].toSorted())
})

test('the pages that the router fetches are those that the addresses name ahead', () => {
  const fetched = [...router.matchAll(/import\('\.\/([^']+)'\)/g)].map(([, file]) => `src/${file}`)
  expect(fetched.toSorted()).toEqual([...new Set(Object.values(lazyPages).flat())].toSorted())
})

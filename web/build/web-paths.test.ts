// Facts about the addresses of the app: the server knows every one the router has, and no other.
import { readFileSync } from 'node:fs'
import { webPaths } from '@atelier/contract/web-paths.ts'
import { expect, test } from 'vitest'

test('the server answers with the app where the router has a page, and nowhere else', () => {
  const router = readFileSync(new URL('../src/router.tsx', import.meta.url), 'utf8')
  const paths = [...router.matchAll(/path: '([^']+)'/g)].map(([, path = '']) => path.replaceAll('$', ':'))
  expect(paths.toSorted()).toEqual([...webPaths].toSorted())
})

// Facts about docs/routes.md: its content is exactly what the route table produces.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { routesDoc } from './routes-doc.ts'

test('docs/routes.md lists every route as it is; `npm run docs` writes it anew', () => {
  const page = readFileSync(new URL('../../../docs/routes.md', import.meta.url), 'utf8')
  expect(page).toBe(routesDoc())
})

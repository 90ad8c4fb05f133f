// Facts about released node types: their params and ports stay as they were released.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { shapesFile, shapesNow } from '../../test/support/node-shapes.ts'

/**
 * Types whose params or ports differ from those of the release although their version is the same. A worker of the release executes
 * such a node, ignores the settings and inputs that it does not know, and may pay for that. A type is added here only with a line
 * in docs/operating.md, “Two versions at work”, that says what such a worker does; any other change is a new version of the type. A release empties the list.
 */
const allowed: string[] = []

test('a node type that was released keeps its params and ports, or has a new version', () => {
  const shapes: Record<string, string> = JSON.parse(readFileSync(shapesFile, 'utf8'))
  const now = shapesNow()
  const changed = Object.keys(shapes).filter((name) => now[name] !== shapes[name])
  expect(changed.toSorted()).toEqual(allowed)
})

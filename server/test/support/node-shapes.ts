// In charge of the shape of node types: the params and ports that graphs and workers of a release count on. Run as a program, it
// writes the shapes of this checkout as those of the newest release; `npm run release` does that.
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { NodeType } from '../../src/nodes/node-type.ts'
import { versionName } from '../../src/nodes/node-type.ts'
import { defaultNodeTypes } from '../../src/nodes/registry.ts'
import { nothingOutside } from './node-options.ts'

/** The shapes of the newest release. */
export const shapesFile = fileURLToPath(new URL('../fixtures/node-shapes.json', import.meta.url))

/** Members of schemas and ports that are texts for people. Members whose names begin with `x-` are left out too: the editor reads them. */
const forPeople = ['title', 'description', 'examples']

function shapeOf({ params, inputs, outputs, open_inputs }: NodeType): string {
  return JSON.stringify({ params, inputs, outputs, open_inputs }, (_name, value: unknown) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
    const kept = Object.entries(value).filter(
      // A port or param may have one of these names too; then its value is an object.
      ([name, part]) =>
        !name.startsWith('x-') && (!forPeople.includes(name) || (isObject(part) && !Array.isArray(part))),
    )
    return Object.fromEntries(kept.toSorted(([one], [other]) => (one < other ? -1 : 1)))
  })
}

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null

/** Type and version, as `versionName` writes them → the shape. */
export function shapesNow(): Record<string, string> {
  const types = defaultNodeTypes(nothingOutside)
  return Object.fromEntries(types.map((type) => [versionName(type), shapeOf(type)]))
}

if (import.meta.main) writeFileSync(shapesFile, `${JSON.stringify(shapesNow(), null, 2)}\n`)

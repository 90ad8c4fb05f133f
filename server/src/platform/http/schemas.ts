// In charge of turning schemas of the contract into schemas for validators, with the values of vocabularies and without `$id`.
import type { TSchema } from 'typebox'

/** Returns the schema without `$id`, and with this deployment's values in place of each `x-vocabulary`. */
export function resolveSchema(schema: TSchema, values: Record<string, readonly string[]>): TSchema {
  const resolve = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(resolve)
    if (typeof node !== 'object' || node === null) return node
    const entries = Object.entries(node).filter(([name]) => name !== '$id' && name !== 'x-vocabulary')
    const resolved = Object.fromEntries(entries.map(([name, value]) => [name, resolve(value)]))
    const vocabulary = 'x-vocabulary' in node && typeof node['x-vocabulary'] === 'string' ? node['x-vocabulary'] : null
    if (vocabulary === null) return resolved
    const nullable = Array.isArray(resolved.type) && resolved.type.includes('null')
    return { ...resolved, enum: [...(values[vocabulary] ?? []), ...(nullable ? [null] : [])] }
  }
  return resolve(schema) as TSchema // the same schema, copied node by node
}

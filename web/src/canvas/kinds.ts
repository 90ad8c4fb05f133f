// In charge of naming the kinds of values that ports take and produce; each kind has a word and a colour. Pure.
import { isPlainObject } from '@atelier/contract/graph/definition.ts'
import type { NodeGroup } from '@atelier/contract/graph/node-groups.ts'

export type Kind = 'text' | 'number' | 'boolean' | 'file' | 'list' | 'object' | 'any'

const byType: Readonly<Record<string, Kind>> = {
  string: 'text',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
  array: 'list',
  object: 'object',
}

const words: Readonly<Record<Kind, [string, string]>> = {
  text: ['text', 'texts'],
  number: ['number', 'numbers'],
  boolean: ['yes or no', 'yes or no'],
  file: ['file', 'files'],
  list: ['list', 'lists'],
  object: ['object', 'objects'],
  any: ['anything', 'anything'],
}

function kindOf(schema: unknown): Kind {
  if (!isPlainObject(schema)) return 'any'
  if (schema['x-atelier'] === 'file') return 'file'
  if (typeof schema.type === 'string') return byType[schema.type] ?? 'any'
  if (Array.isArray(schema.enum)) return 'text'
  return isPlainObject(schema.properties) ? 'object' : 'any'
}

/** The kind of a port's values in words, such as `text` or `list of files`. */
export function kindWords(schema: unknown): string {
  const kind = kindOf(schema)
  if (kind !== 'list' || !isPlainObject(schema)) return words[kind][0]
  const inner = kindOf(schema.items)
  return inner === 'any' ? 'list' : `list of ${words[inner][1]}`
}

/** The kind that decides the colour of a wire: that of its values or, for a list, that of the list's elements. */
export function wireKind(schema: unknown): Kind {
  const kind = kindOf(schema)
  if (kind !== 'list' || !isPlainObject(schema)) return kind
  const inner = kindOf(schema.items)
  return inner === 'any' ? 'list' : inner
}

/** The kind of a port's values or, for lists and lists of lists, that of the elements in them. Never `list`. */
export function elementKind(schema: unknown): Kind {
  const kind = kindOf(schema)
  return kind === 'list' ? elementKind(isPlainObject(schema) ? schema.items : undefined) : kind
}

/** A kind in words, as in `a file is asked for`. */
export const elementWords = (kind: Kind): string =>
  ['text', 'anything', 'boolean'].includes(kind)
    ? words[kind][0]
    : `${kind === 'object' ? 'an' : 'a'} ${words[kind][0]}`

/** Whether a port with this schema takes or produces files or lists of files, which can be shown as pictures. */
export const carriesFiles = (schema: unknown): boolean => wireKind(schema) === 'file'

export const groupLabels: Readonly<Record<NodeGroup, string>> = {
  input: 'Inputs',
  text: 'Text',
  data: 'Data',
  generate: 'Generate',
  image: 'Pictures',
  control: 'Flow',
  gate: 'Gates',
  other: 'Other',
}

// In charge of texts that were typed into fields for JSON and cannot be parsed yet. They are no values, so they are not saved with the
// graph: they are kept like other unsaved texts, shown again in their fields, and each is an issue that keeps the graph from running.
import { type Definition, isPlainObject } from '@atelier/contract/graph/definition.ts'
import { infoOf, valueSchema } from '@atelier/contract/graph/edge-rules.ts'
import { type NodeTypes, readDefinition } from '@atelier/contract/graph/graph-rules.ts'
import { fieldOf, fieldsOf } from '../canvas/form-fields.ts'
import { forgetDraft, keepDraft, keptDraft } from '../lib/kept-drafts.ts'
import { type Issue, reasonNotToRun, unreadType } from './issues.ts'

/** The param or input of a node that a field is about. */
export type Place = { node: string; member: 'params' | 'inputs'; name: string }
export type UnreadText = Place & { text: string }

export const isAt = (one: Place, other: Place): boolean =>
  one.node === other.node && one.member === other.member && one.name === other.name

type Texts = readonly UnreadText[]

/** The texts with another one at a place; null removes the one that is there. The same texts if nothing changes. */
export function withText(texts: Texts, place: Place, text: string | null): Texts {
  const others = texts.filter((one) => !isAt(one, place))
  if (text === null) return others.length === texts.length ? texts : others
  return [...others, { ...place, text }]
}

/** The texts after nodes have got other names. */
export const withNames = (texts: Texts, names: ReadonlyMap<string, string>): Texts =>
  texts.map((one) => ({ ...one, node: names.get(one.node) ?? one.node }))

/** Those texts that belong to one of these nodes. The same texts if these are all. */
export function textsOfNodes(texts: Texts, nodes: Readonly<Record<string, unknown>>): Texts {
  const kept = texts.filter(({ node }) => Object.hasOwn(nodes, node))
  return kept.length === texts.length ? texts : kept
}

/** The issues of those texts whose fields the editor shows. A text has no field any more if, for example, an edge leads to its input. */
export function unreadIssues(texts: Texts, definition: Definition, types: NodeTypes): Issue[] {
  return texts.flatMap(({ node, member, name }) => {
    const title = titleOf({ node, member, name }, definition, types)
    const words = `${title} is not JSON yet, so it is not saved.`
    const field = `${member}.${name}`
    return title === null ? [] : [{ key: `unread ${node} ${field}`, node, field, words, type: unreadType }]
  })
}

/** The title of the field for JSON at a place; null if there is none. */
function titleOf({ node: id, member, name }: Place, definition: Definition, types: NodeTypes): string | null {
  const node = Object.hasOwn(definition.nodes, id) ? definition.nodes[id] : undefined
  const info = node && infoOf(node, types)
  if (!node || !info) return null
  if (member === 'params') {
    const field = fieldsOf(info.params).find((field) => field.name === name)
    return field?.kind === 'json' ? field.title : null
  }
  if (definition.edges.some(({ to }) => to.node === id && to.port === name)) return null
  const { kind } = fieldOf(name, valueSchema(node, info, name) ?? {}, false)
  return kind === 'json' ? (info.inputs[name]?.title ?? name) : null
}

const isTexts = (value: unknown): value is UnreadText[] =>
  Array.isArray(value) &&
  value.every(
    (one) =>
      isPlainObject(one) &&
      (one.member === 'params' || one.member === 'inputs') &&
      [one.node, one.name, one.text].every((part) => typeof part === 'string'),
  )

/** The graph or the run that is edited is the one in the address of the page. */
export const unreadKey = (pathname: string): string => `${pathname} unread JSON`

/** The texts that an earlier editor of the same graph or run has kept. */
export const keptUnread = (key: string): UnreadText[] => keptDraft(key, isTexts)?.typed ?? []

/** Forgets the texts that are kept on a page, so that they are not shown over another version of its graph or run. */
export const forgetUnread = (pathname: string): void => forgetDraft(unreadKey(pathname))

/** Keeps the texts beyond the editor, of those only that have a field: an undo may bring back the fields of the others in it. */
export function keepUnread(key: string, texts: Texts, definition: Definition, types: NodeTypes): void {
  const shown = texts.filter((place) => titleOf(place, definition, types) !== null)
  if (shown.length === 0) forgetDraft(key)
  else keepDraft(key, { typed: shown, base: [], left: false })
}

/**
 * Why the graph or run of a page cannot run because of the texts that were kept on it; null if it can. `definition` is as the service
 * has answered it, and is read only if there are such texts.
 */
export const unreadOn = (pathname: string, definition: unknown, types: NodeTypes): string | null => {
  const texts = keptUnread(unreadKey(pathname))
  return texts.length === 0 ? null : reasonNotToRun(unreadIssues(texts, readDefinition(definition), types))
}

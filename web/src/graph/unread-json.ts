// In charge of texts that were typed into fields for JSON and cannot be parsed yet. They are no values, so they are not saved with the
// graph: they are kept like other unsaved texts, shown again in their fields, and each is an issue that keeps the graph from running.
import { type Definition, isPlainObject } from '@atelier/contract/graph/definition.ts'
import { infoOf, valueSchema } from '@atelier/contract/graph/edge-rules.ts'
import { type NodeTypes, readDefinition } from '@atelier/contract/graph/graph-rules.ts'
import { useRouter } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { fieldOf, fieldsOf } from '../canvas/form-fields.ts'
import { forgetDraft, keepDraft, keptDraft } from '../lib/kept-drafts.ts'
import { type Issue, reasonNotToRun, unreadType } from './issues.ts'

/** The param or input of a node that a field is about. */
export type Place = { node: string; member: 'params' | 'inputs'; name: string }
export type UnreadText = Place & { text: string }

/** What a field for JSON needs to know: the text that it shows in place of the value, null if there is none, and how to keep one. */
export type UnreadField = { text: string | null; write: (text: string | null) => void }

const isAt = (one: Place, other: Place): boolean =>
  one.node === other.node && one.member === other.member && one.name === other.name

/** The texts with another one at a place; null removes the one that is there. */
export function withText(texts: readonly UnreadText[], place: Place, text: string | null): UnreadText[] {
  const others = texts.filter((one) => !isAt(one, place))
  return text === null ? others : [...others, { ...place, text }]
}

/** The issues of those texts whose fields the editor shows. A text has no field any more if, for example, an edge leads to its input. */
export function unreadIssues(texts: readonly UnreadText[], definition: Definition, types: NodeTypes): Issue[] {
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
const keyOf = (pathname: string): string => `${pathname} unread JSON`

/**
 * Why the graph or run of a page cannot run because of the texts that were kept on it; null if it can. `definition` is as the service
 * has answered it, and is read only if there are such texts.
 */
export const unreadOn = (pathname: string, definition: unknown, types: NodeTypes): string | null => {
  const texts = keptDraft(keyOf(pathname), isTexts)?.typed ?? []
  return texts.length === 0 ? null : reasonNotToRun(unreadIssues(texts, readDefinition(definition), types))
}

/** In a read-only editor, fields show their values, and no text that was typed before. */
export function useUnreadJson(definition: Definition, types: NodeTypes, isReadOnly: boolean) {
  const router = useRouter()
  const [key] = useState(() => keyOf(router.state.location.pathname))
  const [texts, setTexts] = useState(() => keptDraft(key, isTexts)?.typed ?? [])
  /** As `texts`, for a change that follows another one before anything is drawn again. */
  const latest = useRef(texts)
  /** Only texts that have a field are kept beyond this editor. The others stay here, since an undo may bring their fields back. */
  const keepShown = () => {
    const shown = latest.current.filter((place) => titleOf(place, definition, types) !== null)
    if (shown.length === 0) forgetDraft(key)
    else keepDraft(key, { typed: shown, base: [], left: false })
  }
  const keep = (next: UnreadText[]) => {
    latest.current = next
    setTexts(next)
    keepShown()
  }
  useEffect(keepShown, [definition, types])
  return {
    texts,
    at: (place: Place): UnreadField => ({
      text: isReadOnly ? null : (texts.find((one) => isAt(one, place))?.text ?? null),
      write: (text) => {
        if (text !== null || latest.current.some((one) => isAt(one, place))) keep(withText(latest.current, place, text))
      },
    }),
    /**
     * Copies the texts of a node to its new name; they stay under the old one for an undo. To be called together with the change of the
     * definition.
     */
    rename: (from: string, to: string) => {
      const copies = latest.current.flatMap((one) => (one.node === from ? [{ ...one, node: to }] : []))
      if (copies.length > 0) keep([...latest.current.filter(({ node }) => node !== to), ...copies])
    },
  }
}

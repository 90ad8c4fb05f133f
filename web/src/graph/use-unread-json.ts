// In charge of the texts in fields for JSON that cannot be parsed yet, in an open editor: of showing them in their fields, and of
// keeping them when the editor is left. The state of the editor has them, so that they are undone with the graph.
import type { Definition } from '@atelier/contract/graph/definition.ts'
import type { NodeTypes } from '@atelier/contract/graph/graph-rules.ts'
import { useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { forgetDraft } from '../lib/kept-drafts.ts'
import type { Edit } from './edit.ts'
import { isAt, keepUnread, type Place, type UnreadText, unreadKey } from './unread-json.ts'

/** What a field for JSON needs to know: the text that it shows in place of the value, null if there is none, and how to keep one. */
export type UnreadField = { text: string | null; write: (text: string | null) => void }

type Options = {
  /** The key under which the texts are kept. */
  key: string
  texts: readonly UnreadText[]
  dispatch: (change: Edit) => void
  definition: Definition
  types: NodeTypes
  /** The reason why nothing can be changed, in which case fields show their values and no text that was typed before; else null. */
  readOnly: string | null
}

/** The key under which the texts of the editor on this page are kept; it stays the same while another page is loading. */
export function useUnreadKey(): string {
  const router = useRouter()
  return useState(() => unreadKey(router.state.location.pathname))[0]
}

/** Keeps the texts of an editor beyond it, and returns how its fields show and change them. */
export function useUnreadJson({ key, texts, dispatch, definition, types, readOnly }: Options) {
  useEffect(() => keepUnread(key, texts, definition, types), [texts, definition, types])
  return {
    at: (place: Place): UnreadField => ({
      text: readOnly !== null ? null : (texts.find((one) => isAt(one, place))?.text ?? null),
      write: (text) => dispatch({ type: 'unread', place, text }),
    }),
    /** Forgets the texts that are kept beyond this editor, so that they are not shown over another version of the graph. */
    forgetKept: () => forgetDraft(key),
  }
}

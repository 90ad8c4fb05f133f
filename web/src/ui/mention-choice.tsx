// In charge of mentions in a text: after an `@`, it offers the names that begin with the typed letters. While it does, the arrow keys
// mark one of them, Enter or Tab takes it, and Escape closes the offers only.
import { mentionBegun } from '@atelier/contract/mentions.ts'
import { useQuery } from '@tanstack/react-query'
import { type RefObject, useEffect, useLayoutEffect, useReducer, useRef, useState } from 'react'
import { peopleQuery } from '../lib/queries.ts'
import { useStable } from '../lib/use-stable.ts'
import { isCommand, isComposed } from './keys.ts'
import { leaveEscape } from './leave-escape.ts'
import './mention-choice.css'

type Field = RefObject<HTMLTextAreaElement | HTMLInputElement | null>
type Props = { field: Field; text: string; setText: (text: string) => void }

const most = 6

export function MentionChoice({ field, text, setText }: Props) {
  const people = useQuery(peopleQuery).data ?? []
  useDrawnWithCaret(field)
  const caret = field.current?.selectionStart ?? text.length
  const naming = mentionBegun(text, caret)
  const begun = naming?.begun.toLowerCase()
  /** Where the name begins of which the user has closed the offers; null if there is none. */
  const [closed, setClosed] = useState<number | null>(null)
  const isEnded = naming === null
  useEffect(() => {
    if (isEnded) setClosed(null)
  }, [isEnded])
  const isOpen = begun !== undefined && naming?.from !== closed
  const fitting = people.flatMap(({ name }) => (isOpen && name?.toLowerCase().startsWith(begun) ? [name] : []))
  const names = [...new Set(fitting)].slice(0, most)
  /** What is marked belongs to what was typed: when that changes, the first name is marked again. */
  const [marked, setMarked] = useState({ begun, at: 0 })
  const at = marked.begun === begun ? marked.at : 0
  const setCaret = useCaretIn(field, text)
  const choose = (name: string | undefined) => {
    if (!naming || name === undefined) return
    const [before, after] = [`${text.slice(0, naming.from + 1)}${name}`, text.slice(caret)]
    const next = `${before}${after.startsWith(' ') ? '' : ' '}${after}`
    field.current?.focus()
    setCaret(next, before.length + 1)
    if (next !== text) setText(next)
  }
  useOfferKeys(field, names.length > 0, {
    move: (by) => setMarked({ begun, at: (at + by + names.length) % names.length }),
    take: () => choose(names[at]),
    close: () => setClosed(naming?.from ?? null),
  })
  if (names.length === 0) return null
  return (
    <>
      <ul className="mention-choice" aria-label="People to address">
        {names.map((name, index) => (
          <li key={name}>
            <button {...leaveEscape} type="button" data-marked={index === at || undefined} onClick={() => choose(name)}>
              @{name}
            </button>
          </li>
        ))}
      </ul>
      <span className="visually-hidden" aria-live="polite">
        Enter takes {names[at]}, {at + 1} of {names.length}.
      </span>
    </>
  )
}

/** Renders again when the caret in the field moves: which name is being typed depends on it. */
function useDrawnWithCaret(field: Field): void {
  const [, draw] = useReducer((count: number) => count + 1, 0)
  useEffect(() => {
    const onMoved = () => {
      if (document.activeElement === field.current) draw()
    }
    document.addEventListener('selectionchange', onMoved)
    return () => document.removeEventListener('selectionchange', onMoved)
  }, [field])
}

/** Returns a function that sets where the caret is once the field has a text: a changed text moves it to the end. */
function useCaretIn(field: Field, text: string): (text: string, caret: number) => void {
  const next = useRef({ text: '', caret: -1 })
  const [, draw] = useReducer((count: number) => count + 1, 0)
  useLayoutEffect(() => {
    const { caret } = next.current
    if (caret < 0 || next.current.text !== text) return
    field.current?.setSelectionRange(caret, caret)
    next.current.caret = -1
  })
  return (changed, caret) => {
    next.current = { text: changed, caret }
    draw()
  }
}

type Acts = { move: (by: 1 | -1) => void; take: () => void; close: () => void }

/** Handles the keys in the field before the form, the viewer or a dialog does: those send the comment, or close, by the same keys. */
function useOfferKeys(field: Field, isOffering: boolean, acts: Acts): void {
  const act = useStable((event: KeyboardEvent): boolean => {
    const key = { nativeEvent: event, repeat: event.repeat }
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || isComposed(key)) return false
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') acts.move(event.key === 'ArrowDown' ? 1 : -1)
    else if (!/^(?:Enter|Tab|Escape)$/.test(event.key)) return false
    else if (isCommand(key)) (event.key === 'Escape' ? acts.close : acts.take)()
    return true
  })
  useEffect(() => {
    const element = field.current
    if (!isOffering || !element) return
    const onKey = (event: Event) => {
      if (!(event instanceof KeyboardEvent) || !act(event)) return
      event.preventDefault()
      event.stopPropagation()
    }
    const names = Object.keys(leaveEscape).filter((name) => !element.hasAttribute(name))
    for (const name of names) element.setAttribute(name, 'true')
    element.addEventListener('keydown', onKey)
    return () => {
      for (const name of names) element.removeAttribute(name)
      element.removeEventListener('keydown', onKey)
    }
  }, [field, isOffering, act])
}

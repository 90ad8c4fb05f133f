// In charge of mentions in a text: after an `@`, it offers the names that begin with the typed letters.
import { mentionBegun } from '@atelier/contract/mentions.ts'
import { useQuery } from '@tanstack/react-query'
import type { RefObject } from 'react'
import { peopleQuery } from '../lib/queries.ts'
import { leaveEscape } from './leave-escape.ts'
import './mention-choice.css'

type Props = {
  field: RefObject<HTMLTextAreaElement | HTMLInputElement | null>
  text: string
  setText: (text: string) => void
}

const most = 6

export function MentionChoice({ field, text, setText }: Props) {
  const people = useQuery(peopleQuery).data ?? []
  const caret = field.current?.selectionStart ?? text.length
  const naming = mentionBegun(text, caret)
  if (!naming) return null
  const begun = naming.begun.toLowerCase()
  const names = new Set(people.flatMap(({ name }) => (name?.toLowerCase().startsWith(begun) ? [name] : [])))
  if (names.size === 0) return null
  const choose = (name: string) => {
    setText(`${text.slice(0, naming.from + 1)}${name} ${text.slice(caret)}`)
    field.current?.focus()
  }
  return (
    <ul className="mention-choice" aria-label="People to address">
      {[...names].slice(0, most).map((name) => (
        <li key={name}>
          <button {...leaveEscape} type="button" onClick={() => choose(name)}>
            @{name}
          </button>
        </li>
      ))}
    </ul>
  )
}

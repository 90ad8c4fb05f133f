// In charge of the field in which the user searches a list whose search stands in the address of the page.
import { TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useEffect, useRef, useState } from 'react'
import { Icon } from './icons.tsx'

type Props = {
  label: string
  placeholder: string
  /** The search in the address. */
  q: string
  /** Puts another one there, which the field does only when the user pauses in typing. */
  ask: (q: string) => void
}

export function SearchField({ label, placeholder, q, ask }: Props) {
  const [text, setText] = useState(q)
  const asked = useRef(q)
  const askLater = useDebouncedCallback((wanted: string) => {
    asked.current = wanted
    ask(wanted)
  }, 200)
  useEffect(() => {
    // If the field itself has put this search into the address, its text is kept: the user may have typed more since then.
    if (q === asked.current) return
    askLater.cancel()
    asked.current = q
    setText(q)
  }, [q, askLater])
  return (
    <TextInput
      aria-label={label}
      placeholder={placeholder}
      leftSection={<Icon name="search" size={14} />}
      value={text}
      maxLength={255}
      onChange={(event) => {
        setText(event.currentTarget.value)
        askLater(event.currentTarget.value.trim())
      }}
    />
  )
}

// In charge of the description of a graph while its editor is open. The field for it is gone while a node is selected, so what is
// typed and not saved yet is kept elsewhere: with the other unsaved texts, which also survive a reload of the page.
import { useEffect, useRef, useState } from 'react'
import { keptText, useKeptText } from '../review/use-kept-text.ts'
import { tellError } from '../ui/toasts.tsx'
import type { Graph } from './queries.ts'

export type Description = {
  text: string
  write: (text: string) => void
  /** Saves what was typed, if it differs from the stored description. If that fails, the text stays. */
  save: () => void
  /** Discards what was typed and not saved. */
  forget: () => void
}

/** `save` throws if the description could not be saved. */
export function useDescription({ id, description }: Graph, save: (description: string) => Promise<void>): Description {
  const [stored, setStored] = useState(description)
  useEffect(() => setStored(description), [description])
  /** The text that is being saved; null if none is. */
  const sending = useRef<string | null>(null)
  const key = `${id} description`
  const { text, write, forget } = useKeptText(key, stored)
  return {
    ...{ text, write, forget },
    save: () => {
      if (text === (sending.current ?? stored)) return
      sending.current = text
      const saving = save(text).then(
        () => {
          setStored(text)
          // The user may have typed something else meanwhile, which is not saved yet.
          if (keptText(key) === text) forget()
        },
        (error: unknown) => tellError(error, 'Not saved'),
      )
      void saving.finally(() => {
        if (sending.current === text) sending.current = null
      })
    },
  }
}

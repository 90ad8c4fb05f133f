// In charge of the button in a creative's row that says in a few words how the file was made; it opens a dialog with the details.
import { UnstyledButton } from '@mantine/core'
import type { Marks } from '../lib/types.ts'
import '../ui/marks.css'
import { chipsOf } from '../lib/marks-words.ts'

export function MarkChips({ marks, open }: { marks: Marks; open: () => void }) {
  const chips = chipsOf(marks)
  if (chips.length === 0) return null
  return (
    <UnstyledButton className="mark-chips" onClick={open}>
      <span className="visually-hidden">Marks of {marks.name}: </span>
      {chips.map(({ words, tone }) => (
        <span key={words} className="mark" data-tone={tone}>
          {words}
        </span>
      ))}
    </UnstyledButton>
  )
}

// In charge of the small button in a list for an action that cannot be undone: the first press asks, and only the second press acts.
import { Button } from '@mantine/core'
import { useSecondStep } from './use-second-step.ts'

type Props = {
  /** What the button says at first, such as “Revoke”. */
  words: string
  /** What it says when it asks, such as “Really revoke”. */
  sureWords: string
  /** The accessible name of the button; it names the record, because a list has many such buttons. */
  label: string
  isPending: boolean
  act: () => void
}

export function SureButton({ words, sureWords, label, isPending, act }: Props) {
  const { isAsking, handlers } = useSecondStep(act)
  const isSure = isAsking || isPending
  return (
    <Button
      color="red"
      variant={isSure ? 'filled' : 'subtle'}
      size="compact-xs"
      // Keeps its width in a narrow row, where the words of the question would be cut off.
      flex="none"
      loading={isPending}
      aria-label={isSure ? `${sureWords}: ${label}` : label}
      {...handlers}
    >
      {isSure ? sureWords : words}
    </Button>
  )
}

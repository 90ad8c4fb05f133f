// In charge of the button that re-rolls a node or items. Its tooltip says what the re-roll does, or why it is not possible now.
import { Button, Loader } from '@mantine/core'
import { useState } from 'react'
import { NodeIcon } from '../canvas/node-icons.tsx'
import { offIf, Reason } from '../ui/reason.tsx'

type Props = {
  label: string
  tip: string | null
  refusal: string | null
  variant: 'light' | 'filled'
  roll: () => Promise<unknown>
}

/** While a re-roll is being started, the button ignores presses, but is not disabled: a disabled button would lose the focus. */
export function RollButton({ label, tip, refusal, variant, roll }: Props) {
  const [isBusy, setIsBusy] = useState(false)
  return (
    <Reason words={refusal} tip={tip}>
      <Button
        variant={variant}
        aria-busy={isBusy}
        leftSection={isBusy ? <Loader size={14} color="currentColor" /> : <NodeIcon name="roll" size={14} />}
        {...offIf(refusal !== null)}
        onClick={() => {
          if (refusal !== null || isBusy) return
          setIsBusy(true)
          void roll().finally(() => setIsBusy(false))
        }}
      >
        {label}
      </Button>
    </Reason>
  )
}

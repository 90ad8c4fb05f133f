// In charge of the button that re-rolls a node or items. Its tooltip says what the re-roll does, or why it is not possible now.
import { useState } from 'react'
import { NodeIcon } from '../canvas/node-icons.tsx'
import { ReasonButton } from '../ui/reason-button.tsx'

type Props = {
  label: string
  tip: string | null
  refusal: string | null
  variant: 'light' | 'filled'
  roll: () => Promise<unknown>
}

export function RollButton({ label, tip, refusal, variant, roll }: Props) {
  const [isBusy, setIsBusy] = useState(false)
  return (
    <ReasonButton
      variant={variant}
      loading={isBusy}
      leftSection={<NodeIcon name="roll" size={14} />}
      off={refusal}
      tip={tip}
      onClick={() => {
        setIsBusy(true)
        void roll().finally(() => setIsBusy(false))
      }}
    >
      {label}
    </ReasonButton>
  )
}

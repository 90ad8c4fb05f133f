// In charge of the control for choosing among options that differ mainly in their looks: each is shown as a picture with its name.
import { Radio } from '@mantine/core'
import type { ReactNode } from 'react'

const pictures = import.meta.glob<string>('./pictured/*.webp', { eager: true, query: '?url', import: 'default' })

type Props = {
  label: string
  description: ReactNode
  error: string | null
  disabled: boolean
  size: 'xs'
  withAsterisk: boolean
  options: readonly { value: unknown; label: string }[]
  value: unknown
  change: (value: unknown) => void
}

export function PicturedChoice({ options, value, change, disabled, ...shared }: Props) {
  const chosen = options.find((option) => option.value === value)?.label ?? null
  return (
    <Radio.Group
      {...shared}
      value={chosen}
      onChange={(label) => change(options.find((option) => option.label === label)?.value)}
    >
      <div className="pictured">
        {options.map(({ label }) => {
          const picture = pictures[`./pictured/${label}.webp`]
          return (
            <Radio.Card key={label} value={label} className="pictured-one" disabled={disabled}>
              {picture === undefined ? null : <img src={picture} alt="" width={216} height={270} loading="lazy" />}
              <span>{label}</span>
            </Radio.Card>
          )
        })}
      </div>
    </Radio.Group>
  )
}

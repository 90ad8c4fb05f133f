// In charge of the list of planned creatives that do not exist yet: a file dropped on a name creates the creative.
import { FileButton, Progress } from '@mantine/core'
import { useState } from 'react'
import { chooseAnew } from '../ui/choose-anew.ts'
import { Icon } from '../ui/icons.tsx'
import type { CreativeActions } from './use-creatives.ts'

type Props = { names: readonly string[]; disabled: boolean; fill: CreativeActions['fill'] }

export function PlannedPlaces({ names, disabled, fill }: Props) {
  return (
    <section>
      <h3>Planned, not made yet</h3>
      {disabled ? null : <p className="hint">Drop a file on a name, or choose one for it.</p>}
      <ul className="planned">
        {names.map((name) => (
          <Place key={name} name={name} disabled={disabled} fill={fill} />
        ))}
      </ul>
    </section>
  )
}

function Place({ name, disabled, fill }: { name: string; disabled: boolean; fill: Props['fill'] }) {
  const [progress, setProgress] = useState<number | null>(null)
  const [isOver, setIsOver] = useState(false)
  const put = (file: File | null | undefined) => {
    if (!file || progress !== null) return
    setProgress(0)
    void fill(name, file, setProgress).finally(() => setProgress(null))
  }
  if (disabled) return <li>{name}</li>
  return (
    <li
      data-over={isOver || undefined}
      onDragOver={(event) => {
        if (!event.dataTransfer.types.includes('Files')) return
        event.preventDefault()
        setIsOver(true)
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        setIsOver(false)
        put(event.dataTransfer.files[0])
      }}
    >
      <FileButton onChange={put} inputProps={chooseAnew}>
        {(props) => (
          <button {...props} type="button" className="planned-place">
            <Icon name="upload" size={13} />
            {name}
          </button>
        )}
      </FileButton>
      {progress === null ? null : <Progress value={progress * 100} size="xs" aria-label={`Upload for ${name}`} />}
    </li>
  )
}

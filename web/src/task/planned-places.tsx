// In charge of the list of planned creatives that do not exist yet: a file dropped on a name creates the creative.
import { FileButton } from '@mantine/core'
import { useRef } from 'react'
import { chooseAnew } from '../ui/choose-anew.ts'
import { Icon } from '../ui/icons.tsx'
import { UploadProgress } from '../ui/upload-progress.tsx'
import { useFileDrop } from '../ui/use-file-drop.ts'
import { places, useUpload } from './uploads.ts'
import type { Uploads } from './use-uploads.ts'

type Props = { taskId: string; names: readonly string[]; disabled: boolean; put: Uploads['put'] }

export function PlannedPlaces({ names, disabled, ...place }: Props) {
  return (
    <section>
      <h3>Planned, not made yet</h3>
      {disabled ? null : <p className="hint">Drop a file on a name, or choose one for it.</p>}
      <ul className="planned">
        {names.map((name) => (disabled ? <li key={name}>{name}</li> : <Place key={name} name={name} {...place} />))}
      </ul>
    </section>
  )
}

function Place({ taskId, name, put }: Pick<Props, 'taskId' | 'put'> & { name: string }) {
  const sending = useUpload(taskId, places.planned(name))
  const button = useRef<HTMLButtonElement>(null)
  const { isOver, handlers } = useFileDrop((files) => void put(name, files))
  return (
    <li data-over={isOver || undefined} {...handlers}>
      <FileButton onChange={(file) => file && void put(name, [file])} inputProps={chooseAnew}>
        {(props) => (
          <button {...props} ref={button} type="button" className="planned-place">
            <Icon name="upload" size={13} />
            {name}
          </button>
        )}
      </FileButton>
      {sending === null ? null : (
        <UploadProgress label={`Upload for ${name}`} sending={sending} size="xs" back={button} />
      )}
    </li>
  )
}

// In charge of the row of one creative in a task: its picture, name, state and actions.
import { ActionIcon, CopyButton, FileButton, Menu, Tooltip } from '@mantine/core'
import { memo, useMemo, useRef, useState } from 'react'
import { useBoard } from '../board/board-context.ts'
import { dateWords } from '../lib/dates.ts'
import type { Creative, Marks } from '../lib/types.ts'
import type { Review } from '../review/queries.ts'
import { ReviewChips } from '../review/review-chip.tsx'
import { chooseAnew } from '../ui/choose-anew.ts'
import { Icon } from '../ui/icons.tsx'
import { Avatar } from '../ui/person.tsx'
import { tellError } from '../ui/toasts.tsx'
import { UploadProgress } from '../ui/upload-progress.tsx'
import { EditableText } from './editable-text.tsx'
import { useLateSaveOfCreative } from './late-save.ts'
import { LaunchDialog } from './launch-dialog.tsx'
import { MarkChips } from './mark-chips.tsx'
import { MarksDialog } from './marks-dialog.tsx'
import { Preview } from './preview.tsx'
import { ProvenanceDialog } from './provenance.tsx'
import { places, useUpload } from './uploads.ts'
import type { CreativeActions } from './use-creatives.ts'
import { EditedContext } from './use-field.ts'
import type { Uploads } from './use-uploads.ts'

type Props = {
  creative: Creative
  marks: Marks | undefined
  review: Review | undefined
  /** Opens the creative's file in the viewer, where the user can step through the files of the task. */
  look: (creativeId: string) => void
  actions: CreativeActions
  uploads: Uploads
  disabled: boolean
}

/** Memoised, because a task may have hundreds of creatives, and they are all still rendered behind an open viewer. */
export const CreativeRow = memo(function CreativeRow({ creative, marks, review, look, ...given }: Props) {
  const { actions, uploads, disabled } = given
  const { people } = useBoard()
  const late = useLateSaveOfCreative(creative)
  const edited = useMemo(
    () => ({ taskId: creative.task_id, creativeId: creative.id, disabled, late }),
    [creative.task_id, creative.id, disabled, late],
  )
  const [asked, setAsked] = useState<'provenance' | 'launch' | 'marks' | null>(null)
  const sending = useUpload(creative.task_id, places.creative(creative.id))
  const fileButton = useRef<HTMLButtonElement>(null)
  const mark = (completed: boolean) =>
    void actions.change(creative, { completed }).catch((error: unknown) => tellError(error, 'Not saved'))
  return (
    <li className="creative">
      <Preview digest={creative.file} name={creative.name} open={() => look(creative.id)} />
      <div className="creative-main">
        <EditedContext value={edited}>
          <EditableText
            label={`Name of ${creative.name}`}
            value={creative.name}
            className="creative-name"
            disabled={disabled}
            save={(name) => actions.rename(creative, name)}
          />
        </EditedContext>
        <div className="creative-marks">
          <span className="mark" data-tone={creative.done ? 'ok' : undefined}>
            {creative.done ? 'Done' : 'To do'}
          </span>
          {review ? <ReviewChips review={review} /> : null}
          {marks && marks.file !== null ? <MarkChips marks={marks} open={() => setAsked('marks')} /> : null}
          {creative.variation_num === null ? null : <span className="mark">V{creative.variation_num}</span>}
          {creative.launched_at ? (
            <span className="mark" data-tone="accent">
              Live since {dateWords(creative.launched_at)}
            </span>
          ) : null}
          {creative.ad_id ? <span className="hint mono">{creative.ad_id}</span> : null}
          {creative.assignee_id ? (
            <Avatar id={creative.assignee_id} person={people.get(creative.assignee_id)} part="Made by" />
          ) : null}
        </div>
        {sending === null ? null : (
          <UploadProgress label={`Upload for ${creative.name}`} sending={sending} size="xs" back={fileButton} />
        )}
      </div>
      <CopyButton value={creative.name}>
        {({ copied, copy }) => (
          <Tooltip label={copied ? 'Copied' : 'Copy the name'}>
            <ActionIcon size="sm" aria-label={`Copy ${creative.name}`} onClick={copy}>
              <Icon name={copied ? 'check' : 'copy'} size={14} />
            </ActionIcon>
          </Tooltip>
        )}
      </CopyButton>
      {disabled ? null : (
        <>
          <FileButton onChange={(file) => file && void uploads.replace(creative, file)} inputProps={chooseAnew}>
            {(props) => (
              <Tooltip label={creative.file ? 'Replace the file' : 'Put a file on it'}>
                <ActionIcon
                  {...props}
                  ref={fileButton}
                  size="sm"
                  aria-label={`${creative.file ? 'Replace' : 'Upload'} the file of ${creative.name}`}
                >
                  <Icon name="upload" size={14} />
                </ActionIcon>
              </Tooltip>
            )}
          </FileButton>
          <Menu width={200}>
            <Menu.Target>
              <ActionIcon size="sm" aria-label={`Menu of ${creative.name}`}>
                <Icon name="more" />
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item leftSection={<Icon name="graph" />} onClick={() => setAsked('provenance')}>
                How it was made
              </Menu.Item>
              <Menu.Item leftSection={<Icon name="key" />} onClick={() => setAsked('marks')}>
                Marks and label
              </Menu.Item>
              <Menu.Item leftSection={<Icon name="flag" />} onClick={() => setAsked('launch')}>
                Record a launch
              </Menu.Item>
              <Menu.Item leftSection={<Icon name="check" />} onClick={() => mark(!creative.completed)}>
                {creative.completed ? 'Not completed' : 'Mark as completed'}
              </Menu.Item>
              <Menu.Item
                leftSection={<Icon name="trash" />}
                className="danger-item"
                onClick={() => void actions.remove(creative)}
              >
                Delete
              </Menu.Item>
            </Menu.Dropdown>
          </Menu>
        </>
      )}
      {asked === 'provenance' ? <ProvenanceDialog creative={creative} close={() => setAsked(null)} /> : null}
      {asked === 'marks' ? <MarksDialog creative={creative} disabled={disabled} close={() => setAsked(null)} /> : null}
      {asked === 'launch' ? (
        <LaunchDialog taskId={creative.task_id} creative={creative} close={() => setAsked(null)} />
      ) : null}
    </li>
  )
})

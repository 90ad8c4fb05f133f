// In charge of the list of a task's creatives, made or only planned, and of adding files to them.

import type { Task } from '@atelier/contract/tasks.ts'
import { Button, FileButton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useRef } from 'react'
import { viewedCreatives } from '../board/open-pictures.ts'
import { keptDraft, keysOfDrafts } from '../lib/kept-drafts.ts'
import { creativesQuery, marksQuery } from '../lib/queries.ts'
import { useStable } from '../lib/use-stable.ts'
import { GuestLinks } from '../review/guest-links.tsx'
import { taskReviewQuery } from '../review/queries.ts'
import { Reviewers } from '../review/reviewers.tsx'
import { chooseAnew } from '../ui/choose-anew.ts'
import { Icon } from '../ui/icons.tsx'
import { Failed, Loading } from '../ui/states.tsx'
import { UploadProgress } from '../ui/upload-progress.tsx'
import { useFileDrop } from '../ui/use-file-drop.ts'
import { useGrowing } from '../ui/use-growing.ts'
import { useRowsFocus } from '../ui/use-rows-focus.ts'
import { openViewer } from '../ui/viewer-store.ts'
import { CreativeRow } from './creative-row.tsx'
import './creatives.css'
import { PlannedPlaces } from './planned-places.tsx'
import { creativeDrafts, textsOfCreatives } from './removed.ts'
import { RemovedTexts } from './removed-texts.tsx'
import { places, useShown, useUpload } from './uploads.ts'
import { useCreatives } from './use-creatives.ts'
import { useOpenedCreative } from './use-opened-creative.ts'
import { useUploads } from './use-uploads.ts'

/** `opened`: the id of the creative that the address of the page names; undefined if it names none. */
type Props = { task: Task; opened: string | undefined; disabled: boolean; toRuns: () => void }

/** How many more rows each animation frame renders; one row takes about a millisecond. */
const rowsPerFrame = 5

const isText = (value: unknown): value is string => typeof value === 'string'

/** The name over which the draft under this key was typed. */
const formerName = (key: string): string => keptDraft(key, isText)?.base ?? ''

export function Creatives({ task, opened, disabled, toRuns }: Props) {
  useOpenedCreative(task.id, opened)
  const creatives = useQuery(creativesQuery(task.id))
  const marks = useQuery(marksQuery(task.id)).data
  const reviews = useQuery(taskReviewQuery(task.id)).data
  const actions = useCreatives(task.id)
  const uploads = useUploads(task, actions)
  const sending = useUpload(task.id, places.nextNames)
  const rows = useRowsFocus<HTMLUListElement>({ orElse: '.task-panel' })
  const addButton = useRef<HTMLButtonElement>(null)
  const { isOver, handlers } = useFileDrop(disabled ? null : (files) => void uploads.add(files))
  useShown(task.id)
  const pictures = useMemo(() => viewedCreatives(creatives.data ?? []), [creatives.data])
  const look = useStable((id: string) =>
    openViewer(
      pictures,
      pictures.findIndex(({ creativeId }) => creativeId === id),
    ),
  )
  const drawn = useGrowing(creatives.data?.length ?? 0, rowsPerFrame)
  if (creatives.isPending) return <Loading what="the creatives" />
  if (!creatives.data) return <Failed error={creatives.error} retry={() => void creatives.refetch()} />
  const made = new Set(creatives.data.map(({ name }) => name))
  // A restore of the task brings its creatives back.
  const removed =
    task.deleted_at === null
      ? textsOfCreatives(task.id, keysOfDrafts(creativeDrafts(task.id)), creatives.data, formerName)
      : []
  const planned = task.planned_creative_names.filter((name) => !made.has(name))
  return (
    <div className="creatives" data-over={isOver || undefined} {...handlers}>
      {disabled ? null : (
        <div className="creatives-tools">
          <FileButton onChange={(files) => void uploads.add(files)} multiple inputProps={chooseAnew}>
            {(props) => (
              <Button
                {...props}
                ref={addButton}
                loading={sending !== null}
                leftSection={<Icon name="upload" size={14} />}
              >
                Add files
              </Button>
            )}
          </FileButton>
          <Button variant="default" leftSection={<Icon name="plus" size={14} />} onClick={() => void actions.add()}>
            Add without a file
          </Button>
          <Button variant="default" leftSection={<Icon name="run" size={14} />} onClick={toRuns}>
            Make them with a graph
          </Button>
          <span className="hint">Each gets the next planned name. Files can also be dropped here.</span>
        </div>
      )}
      {sending === null ? null : <UploadProgress label="Upload" sending={sending} size="sm" back={addButton} />}
      {creatives.data.length === 0 ? <p className="hint">No creatives yet.</p> : null}
      <RemovedTexts
        taskId={task.id}
        removed={removed}
        next={['.creative-list textarea:enabled', '.creatives-tools button:enabled']}
      />
      <ul className="creative-list" aria-label="Creatives" {...rows}>
        {creatives.data.slice(0, drawn).map((creative) => (
          <CreativeRow
            key={creative.id}
            creative={creative}
            review={reviews?.find(({ creative_id }) => creative_id === creative.id)}
            marks={marks?.find(({ creative_id }) => creative_id === creative.id)}
            {...{ look, actions, uploads, disabled }}
          />
        ))}
      </ul>
      <Reviewers taskId={task.id} disabled={disabled} />
      <GuestLinks taskId={task.id} creatives={creatives.data} disabled={disabled} />
      {planned.length > 0 ? (
        <PlannedPlaces taskId={task.id} names={planned} disabled={disabled} put={uploads.put} />
      ) : null}
    </div>
  )
}

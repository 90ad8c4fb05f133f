// In charge of the control for a value that consists of files: they are uploaded, shown as thumbnails, replaced and removed here.
import { type FileValue, isFileValue } from '@atelier/contract/graph/definition.ts'
import { ActionIcon, Button, FileButton, Input, Tooltip } from '@mantine/core'
import { type ReactNode, useRef } from 'react'
import { flushSync } from 'react-dom'
import { Picture } from '../canvas/picture.tsx'
import { createSend, UploadCancelled } from '../lib/upload.ts'
import { chooseAnew } from '../ui/choose-anew.ts'
import { Icon } from '../ui/icons.tsx'
import { tellError } from '../ui/toasts.tsx'
import { UploadProgress } from '../ui/upload-progress.tsx'
import type { Update } from './edit.ts'
import { useFieldUpload } from './use-editor-uploads.ts'

type Props = {
  name: string
  label: string
  description: ReactNode
  error: string | null
  disabled: boolean
  many: boolean
  value: unknown
  /** Throws an error if an `Update` can no longer be made. */
  change: (value: FileValue | FileValue[] | undefined | Update, isTyped?: boolean) => void
}

export function FileEntry({ name, label, description, error, disabled, many, value, change }: Props) {
  const button = useRef<HTMLButtonElement>(null)
  const list = useRef<HTMLDivElement>(null)
  // The label tells a param from an input of the same name.
  const { upload, sending, show } = useFieldUpload(`${name} ${label}`)
  const files = filesIn(value)
  /**
   * An update, because during the upload the user may have removed files, or have left this form and opened it again. Files that are
   * chosen together are one undo step, as what is typed is.
   */
  const add = (file: FileValue) => change((before: unknown) => (many ? [...filesIn(before), file] : file), true)
  /** Resolves to whether all the files were put in. */
  const put = async (chosen: File[]): Promise<boolean> => {
    let missing = 0
    const send = createSend(chosen.length, show)
    for (const file of chosen) {
      try {
        const { digest, media_type, size } = (await send(file)).stored
        add({ digest, media_type, size, name: file.name })
      } catch (error) {
        missing += 1
        if (!(error instanceof UploadCancelled)) tellError(error, `“${file.name}” is not uploaded`)
      }
    }
    show(null)
    return missing === 0
  }
  const without = (index: number) => {
    const rest = files.filter((_, at) => at !== index)
    flushSync(() => change(many && rest.length > 0 ? rest : undefined))
    // The button that was pressed is gone with its file: the one of the file in its place gets the focus.
    const left = list.current?.querySelectorAll<HTMLElement>('.file-chip button')
    ;(left?.[Math.min(index, left.length - 1)] ?? button.current)?.focus()
  }
  return (
    <Input.Wrapper label={label} description={description} error={error} size="xs">
      <div ref={list} className="file-entry">
        {files.map((file, index) => (
          <span key={`${file.digest}-${index}`} className="file-chip">
            <span className="file-thumb">
              <Picture file={file} alt="" small />
            </span>
            <span className="file-chip-name">{file.name ?? file.media_type}</span>
            {disabled ? null : (
              <Tooltip label="Take the file away">
                <ActionIcon
                  size="sm"
                  aria-label={`Take ${file.name ?? 'the file'} away`}
                  onClick={() => without(index)}
                >
                  <Icon name="close" size={13} />
                </ActionIcon>
              </Tooltip>
            )}
          </span>
        ))}
        {sending === null ? null : <UploadProgress label="Upload" sending={sending} size="sm" back={button} />}
        {disabled ? null : (
          <FileButton
            multiple
            inputProps={chooseAnew}
            onChange={(chosen) => void upload(() => put(many ? chosen : chosen.slice(0, 1)))}
          >
            {(props) => (
              <Button
                {...props}
                ref={button}
                variant="default"
                loading={sending !== null}
                leftSection={<Icon name="upload" size={14} />}
              >
                {files.length === 0 || many ? 'Upload' : 'Replace'}
              </Button>
            )}
          </FileButton>
        )}
      </div>
    </Input.Wrapper>
  )
}

const filesIn = (value: unknown): FileValue[] => (Array.isArray(value) ? value : [value]).filter(isFileValue)

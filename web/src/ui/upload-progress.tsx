// In charge of showing how far an upload is, with buttons that cancel it.
import { Button, Progress } from '@mantine/core'
import { type RefObject, useLayoutEffect, useRef } from 'react'
import type { Sending } from '../lib/upload.ts'
import './upload-progress.css'

/** `back`: the button by which the files were chosen; it gets the focus if a button in here had it when the upload ends. */
type Props = { label: string; sending: Sending; size: 'xs' | 'sm'; back: RefObject<HTMLButtonElement | null> }

export function UploadProgress({ label, sending, size, back }: Props) {
  const { share, file, at, count, cancel, cancelAll } = sending
  const place = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const element = place.current
    return () => {
      if (!element?.contains(document.activeElement)) return
      // Not at once: `back` may be disabled until React has updated the rest of the page.
      queueMicrotask(() => back.current?.focus())
    }
  }, [back])
  return (
    <div ref={place} className="upload-progress">
      <Progress className="upload-bar" value={share * 100} size={size} aria-label={label} />
      {count === 1 ? null : (
        <span className="hint">
          {file} ({at} of {count})
        </span>
      )}
      <Button
        size="compact-xs"
        variant="default"
        aria-label={`Cancel the upload of ${file}`}
        // The second press of a double click would cancel the next file, whose name the user has not seen yet.
        onClick={({ detail }) => (detail > 1 ? undefined : cancel())}
      >
        Cancel
      </Button>
      {count === 1 ? null : (
        <Button size="compact-xs" variant="default" aria-label="Cancel all uploads here" onClick={cancelAll}>
          Cancel all
        </Button>
      )}
    </div>
  )
}

// In charge of what a page shows instead of its content while it is empty, while it is loading, or after it has failed.
import { Button, Loader } from '@mantine/core'
import type { ReactNode } from 'react'
import { wordsOf } from '../lib/errors.ts'
import { Icon, type IconName } from './icons.tsx'

type EmptyProps = { icon: IconName; title: string; children?: ReactNode; action?: ReactNode }

export function Empty({ icon, title, children, action }: EmptyProps) {
  return (
    <div className="state">
      <Icon name={icon} size={28} />
      <h2>{title}</h2>
      {children ? <p>{children}</p> : null}
      {action}
    </div>
  )
}

export function Loading({ what }: { what: string }) {
  return (
    <div className="state" role="status">
      <Loader size="sm" />
      <span className="visually-hidden">Loading {what}</span>
    </div>
  )
}

type FailedProps = { error: unknown; retry?: () => void; label?: string }

/** `retry`: what the button with the `label` does; without it, there is no button. */
export function Failed({ error, retry, label = 'Try again' }: FailedProps) {
  return (
    <div className="state" role="alert">
      <Icon name="warning" size={24} />
      <p>{wordsOf(error)}</p>
      {retry ? (
        <Button variant="default" onClick={retry}>
          {label}
        </Button>
      ) : null}
    </div>
  )
}

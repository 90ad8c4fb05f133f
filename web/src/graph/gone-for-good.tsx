// In charge of the message above an open graph or run that is deleted for good: nothing of it can be saved any more, and what is on this
// page may be nowhere else.
import { Button } from '@mantine/core'
import { Icon } from '../ui/icons.tsx'

/** `keep`: makes a graph of its own of what is on this page; null if the user may not, or if there is nothing to keep. */
type Props = { what: 'graph' | 'run'; keep: (() => void) | null; keepLabel?: string }

export function GoneForGood({ what, keep, keepLabel }: Props) {
  return (
    <div className="banner" data-tone="warn" role="alert">
      <Icon name="trash" />
      <p>
        <strong>This {what} is deleted for good.</strong> Nobody can restore it
        {keep
          ? '. What is on this page can be kept as a graph of its own.'
          : ', and nothing here is up to date any more.'}
      </p>
      {keep ? (
        <Button variant="default" onClick={keep}>
          {keepLabel}
        </Button>
      ) : null}
    </div>
  )
}

// In charge of what to do where somebody else saved first: take theirs, or keep one's own beside it.
import { Button } from '@mantine/core'
import { Icon } from '../ui/icons.tsx'

type Props = { what: string; reload: () => void; keep: (() => void) | null }

export function ConflictBanner({ what, reload, keep }: Props) {
  return (
    <div className="banner" data-tone="warn" role="alert">
      <Icon name="warning" />
      <p>
        <strong>This {what} was changed elsewhere since you opened it.</strong> What you do here is not saved any more.
      </p>
      <Button variant="default" onClick={reload}>
        Reload, and lose my changes
      </Button>
      {keep ? <Button onClick={keep}>Keep mine as a fork</Button> : null}
    </div>
  )
}

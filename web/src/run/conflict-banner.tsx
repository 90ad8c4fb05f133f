// In charge of what to do where somebody else saved the definition of a run first: take theirs.
import { Button } from '@mantine/core'
import { Icon } from '../ui/icons.tsx'

export function ConflictBanner({ reload }: { reload: () => void }) {
  return (
    <div className="banner" data-tone="warn" role="alert">
      <Icon name="warning" />
      <p>
        <strong>This run was changed elsewhere since you opened it.</strong> What you do here is not saved any more.
      </p>
      <Button variant="default" onClick={reload}>
        Reload, and lose my changes
      </Button>
    </div>
  )
}

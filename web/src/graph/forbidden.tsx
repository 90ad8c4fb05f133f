// In charge of the message that the last changes are not saved because of the role of the user, and of when they will be.
import { Button } from '@mantine/core'
import { Icon } from '../ui/icons.tsx'
import type { Editor } from './use-editor.ts'

type Props = { what: 'graph' | 'run'; editor: Editor }

export function Forbidden({ what, editor: { autosave, readOnly } }: Props) {
  return (
    <div className="banner" data-tone="warn" role="alert">
      <Icon name="warning" />
      <p>
        <strong>Your role does not allow you to change this {what} any more.</strong> Your last changes are not saved.
        They stay on this page, and are saved as soon as your role allows it again. An admin can change your role.
      </p>
      {/* Only the service has refused so far. What this page knows of the role may be newer than the refusal. */}
      {readOnly === null ? (
        <Button variant="default" onClick={() => void autosave.flush()}>
          Try again
        </Button>
      ) : null}
    </div>
  )
}

// In charge of making a sign-in link for a person, and of the dialog that shows it.
import { Button, CopyButton, Modal, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { call } from '../lib/api.ts'
import { createStore, useStore } from '../lib/store.ts'
import { Icon } from '../ui/icons.tsx'
import { tellError } from '../ui/toasts.tsx'
import { isForMachineOnly } from './sign-in-link.ts'

/** The link that was made last, until its dialog is closed. */
const made = createStore<string | null>(null)

/**
 * Returns a function that makes a link for a person and shows it on the page of people. The function first opens that page, because
 * a message that offers the link stays when a user goes on to another page.
 */
export function useMakeSignInLink(): (userId: string) => void {
  const navigate = useNavigate()
  return (userId) => {
    void navigate({ to: '/people' })
    call('createSignInLink', { body: { user_id: userId } }).then(
      ({ url }) => made.set(url),
      (error: unknown) => tellError(error, 'No link was made'),
    )
  }
}

export function SignInLinkDialog() {
  const link = useStore(made, (value) => value)
  return (
    <Modal opened={link !== null} onClose={() => made.set(null)} title="Sign-in link">
      <p className="dialog-text">
        Whoever presses the button behind it first is signed in as this person, once, within 15 minutes.{' '}
        {link !== null && isForMachineOnly(link, location.origin) ? (
          <>
            It opens on the machine of the service only. Links that can be sent need <code>PUBLIC_URL</code> and{' '}
            <code>ATELIER_SIGN_IN_LINKS=anywhere</code>.
          </>
        ) : (
          'Send it in a safe way.'
        )}
      </p>
      <TextInput readOnly value={link ?? ''} aria-label="Sign-in link" classNames={{ input: 'mono' }} />
      <div className="dialog-foot">
        <CopyButton value={link ?? ''}>
          {({ copied, copy }) => (
            <Button onClick={copy} leftSection={<Icon name={copied ? 'check' : 'copy'} size={14} />}>
              {copied ? 'Copied' : 'Copy'}
            </Button>
          )}
        </CopyButton>
      </div>
    </Modal>
  )
}

// In charge of making a sign-in link for a person, and of the dialog that shows it.
import { Button, CopyButton, Modal, TextInput } from '@mantine/core'
import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { call } from '../lib/api.ts'
import { createStore, useStore } from '../lib/store.ts'
import { Icon } from '../ui/icons.tsx'
import { tellError } from '../ui/toasts.tsx'
import { isForMachineOnly } from './sign-in-link.ts'

/** The person to whom a link leads. */
type Whom = { id: string; name: string }

/** The link that was made last, until its dialog is closed or the page of people is left. */
const made = createStore<{ url: string; name: string } | null>(null)
/** Counts what makes earlier requests for a link out of date: a later request, and leaving the page of people. */
let turn = 0

/**
 * Returns a function that makes a link for a person and shows it on the page of people. The function first opens that page, because
 * a message that offers the link stays when a user goes on to another page. If the user decides to stay there, no link is made.
 */
export function useMakeSignInLink(): (whom: Whom) => Promise<void> {
  const router = useRouter()
  return async ({ id, name }) => {
    await router.navigate({ to: '/people' })
    if (router.state.location.pathname !== '/people') return
    turn += 1
    const mine = turn
    try {
      const { url } = await call('createSignInLink', { body: { user_id: id } })
      if (mine === turn) made.set({ url, name })
    } catch (error) {
      tellError(error, `No link was made for ${name}`)
    }
  }
}

/** Forgets the link, and drops one that is still being made, when the page of the calling component is left. */
export function useLinksOfThisPage(): void {
  useEffect(
    () => () => {
      turn += 1
      made.set(null)
    },
    [],
  )
}

export function SignInLinkDialog() {
  const shown = useStore(made, (value) => value)
  const link = shown?.url ?? null
  return (
    <Modal
      opened={shown !== null}
      onClose={() => made.set(null)}
      title={shown ? `Sign-in link for ${shown.name}` : 'Sign-in link'}
    >
      <p className="dialog-text">
        Whoever presses the button behind it first is signed in as {shown?.name ?? 'this person'}, once, within 15
        minutes.{' '}
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

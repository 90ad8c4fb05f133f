// In charge of the page for users who are not signed in. The same is shown over a page whose session has ended.
import { useDocumentTitle } from '@mantine/hooks'
import { useEffect } from 'react'
import { keepPlace } from '../lib/return-to.ts'
import { Dialog } from '../ui/dialog.tsx'
import { lazyPart } from '../ui/lazy-part.tsx'

/** Loaded when it is shown, because those who are signed in, which is nearly always so, do not need it. */
const HowToSignIn = lazyPart('how to sign in', async () => (await import('./how-to-sign-in.tsx')).HowToSignIn)

export function SignInPage() {
  useDocumentTitle('Sign in · Atelier')
  useEffect(keepPlace, [])
  return (
    <main className="sign-in">
      <img src="/icon.svg" alt="" width={44} height={44} />
      <h1>Sign in to Atelier</h1>
      <HowToSignIn stays={false} />
    </main>
  )
}

/** Covers a page whose session has ended. The page stays as it is, so the user has to sign in without leaving it. */
export function SignInAgain() {
  return (
    <Dialog
      fullScreen
      title="Sign in to Atelier"
      classNames={{ content: 'sign-in-cover', header: 'sign-in-head', body: 'sign-in sign-in-again' }}
      zIndex={above}
      onClose={() => undefined}
      withCloseButton={false}
      closeOnEscape={false}
      transitionProps={{ duration: 0 }}
    >
      <p>Your session has ended. The page is still there as you left it: sign in again to go on.</p>
      <HowToSignIn stays />
    </Dialog>
  )
}

/** Above everything else that a page can have open, such as a film in the viewer, and below messages. */
const above = 399

// In charge of the page for users who are not signed in. The same is shown over a page whose session has ended.
import { useDocumentTitle } from '@mantine/hooks'
import { useEffect, useId } from 'react'
import { keepPlace } from '../lib/return-to.ts'
import { lazyPart } from '../ui/lazy-part.tsx'
import { useTopDialog } from '../ui/top-layer.ts'

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

/**
 * Covers a page whose session has ended, and all dialogs that are open on it, the viewer among them. The page stays as it is, so the
 * user has to sign in without leaving it.
 */
export function SignInAgain() {
  const dialog = useTopDialog({ stays: true })
  const heading = useId()
  useEffect(() => {
    isCovered = true
    return () => {
      isCovered = false
    }
  }, [])
  return (
    <dialog
      ref={dialog}
      className="sign-in-cover"
      tabIndex={-1}
      aria-labelledby={heading}
      onCancel={(event) => event.preventDefault()}
      // Some browsers close a dialog all the same, for example when Back is pressed twice on a phone.
      onClose={({ currentTarget }) => {
        if (!currentTarget.open) currentTarget.showModal()
      }}
      // A Mantine dialog below keeps everything that is not in it from scrolling.
      onWheel={(event) => event.stopPropagation()}
      onTouchMove={(event) => event.stopPropagation()}
    >
      <div className="sign-in">
        <h2 id={heading}>Sign in to Atelier</h2>
        <p>Your session has ended. The page is still there as you left it: sign in again to go on.</p>
        <HowToSignIn stays />
      </div>
    </dialog>
  )
}

/** Whether the sign-in covers a page. */
let isCovered = false

// No key reaches the page below then: Escape would close its dialog, and with it throw away a form. This listens before anything is
// rendered, because Mantine's dialogs listen on the window as well, and the first to listen is the first to be told.
addEventListener(
  'keydown',
  (event) => {
    if (!isCovered) return
    event.stopImmediatePropagation()
    if (event.key === 'Escape') event.preventDefault()
  },
  { capture: true },
)

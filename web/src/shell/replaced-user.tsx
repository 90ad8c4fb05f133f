// In charge of the warning on a page whose user is not the one who is signed in in this browser any more.
import { Button } from '@mantine/core'
import { useEffect } from 'react'
import { useIsReplaced } from '../lib/session.ts'
import { Icon } from '../ui/icons.tsx'

/** `isOut`: whether the page asks for a sign-in, since the session of its user has ended. */
export function ReplacedUser({ isOut }: { isOut: boolean }) {
  const isReplaced = useIsReplaced()
  // Somebody else has signed in where the page asked for it, so the page is theirs from now on. If there are changes that are not
  // saved, the browser asks first, as `useAutosave` has it do.
  useEffect(() => {
    if (isReplaced && isOut) location.reload()
  }, [isReplaced, isOut])
  if (!isReplaced) return null
  return (
    <div className="offline" role="alert">
      <Icon name="warning" /> Somebody else has signed in in this browser. Nothing that you do on this page is saved any
      more: copy what you still need, then load it again.
      <Button size="compact-xs" variant="default" onClick={() => location.reload()}>
        Load again
      </Button>
    </div>
  )
}

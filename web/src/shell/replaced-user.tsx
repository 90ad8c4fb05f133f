// In charge of the warning on a page whose user is not the one who is signed in in this browser any more.
import { Button } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useIsReplaced } from '../lib/session.ts'
import { Icon } from '../ui/icons.tsx'

export function ReplacedUser() {
  const isReplaced = useIsReplaced()
  // True if the sign-in page was shown when the other person signed in: then there is nothing on the page that could be lost.
  const [wasReplaced] = useState(isReplaced)
  useEffect(() => {
    if (wasReplaced) location.reload()
  }, [wasReplaced])
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

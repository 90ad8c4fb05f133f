// In charge of the warnings that concern the whole page: that it is offline, and that its user is not the one who is signed in in
// this browser any more. They stand below the top bar, and inside of what covers the page, because there users must see them too.
import { Button } from '@mantine/core'
import { useNetwork } from '@mantine/hooks'
import { createPortal } from 'react-dom'
import { useIsReplaced } from '../lib/session.ts'
import { Icon } from './icons.tsx'
import { leaveEscape } from './leave-escape.ts'
import { useTopLayer } from './top-layer.ts'

export function Warnings() {
  const { online } = useNetwork()
  const isReplaced = useIsReplaced()
  return (
    <>
      {online ? null : (
        <div className="warning-bar" role="status">
          <Icon name="offline" /> You are offline. What you see may be old, and nothing can be changed until you are
          back.
        </div>
      )}
      {isReplaced ? (
        <div className="warning-bar" role="alert">
          <Icon name="warning" /> Somebody else has signed in in this browser. Nothing that you do on this page is saved
          any more: copy what you still need, then load it again.
          <Button {...leaveEscape} size="compact-xs" variant="default" onClick={() => location.reload()}>
            Load again
          </Button>
        </div>
      ) : null}
    </>
  )
}

/** The warnings inside the uppermost dialog of the browser's top layer, such as the viewer. Mantine's dialogs have their own. */
export function TopWarnings() {
  const top = useTopLayer()
  if (top === null) return null
  return createPortal(
    // biome-ignore lint/a11y/noStaticElementInteractions: the page below handles keys too, and must not receive those of the button.
    <div className="top-warnings" onKeyDown={(event) => event.stopPropagation()}>
      <Warnings />
    </div>,
    top,
  )
}

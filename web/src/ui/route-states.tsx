// In charge of what is shown if an address has no page, while a page is loading, and if a page has failed.
import { Anchor, Button } from '@mantine/core'
import { type ErrorComponentProps, Link } from '@tanstack/react-router'
import { useEffect } from 'react'
import { onReachable } from '../lib/live-connection.ts'
import { isReachable } from '../lib/reachable.ts'
import { PageNotLoaded } from './lazy-page.ts'
import { Empty, Failed, Loading } from './states.tsx'

export function NoSuchPage() {
  return (
    <>
      <h1 className="visually-hidden">No such page</h1>
      <Empty
        icon="link"
        title="There is no such page"
        action={<Anchor renderRoot={(props) => <Link to="/" {...props} />}>Go to the board</Anchor>}
      >
        The address may be mistyped, or what it led to is gone.
      </Empty>
    </>
  )
}

export const PageComes = () => <Loading what="the page" />

export function PageFailed({ error, reset }: ErrorComponentProps) {
  const isNotLoaded = error instanceof PageNotLoaded
  // Only some of the page's files may be loaded, so the browser reloads the whole page as soon as the service can be reached.
  useEffect(() => (isNotLoaded ? onReachable(() => void reload()) : undefined), [isNotLoaded])
  return (
    <div>
      <Failed error={error} retry={isNotLoaded ? () => void reload() : reset} />
      <div className="state">
        <Button variant="subtle" onClick={() => location.assign('/')}>
          Go to the board
        </Button>
      </div>
    </div>
  )
}

/** Reloads the page only if the service responds; otherwise the browser would show its own error page instead of the app. */
async function reload(): Promise<void> {
  if (await isReachable()) location.reload()
}

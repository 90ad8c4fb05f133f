// In charge of what is shown if an address has no page, while a page is loading, and if a page has failed.
import { Anchor, Button } from '@mantine/core'
import { type ErrorComponentProps, Link } from '@tanstack/react-router'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { onReachable } from '../lib/live-connection.ts'
import { isReachable } from '../lib/reachable.ts'
import { goneLabel, goneWords, reloadOnce } from './gone-scripts.ts'
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
  const place = useRef<HTMLDivElement>(null)
  return (
    <div ref={place}>
      <h1 className="visually-hidden">The page is not shown</h1>
      {error instanceof PageNotLoaded ? (
        <NotLoaded error={error} place={place} />
      ) : (
        <Failed error={error} retry={reset} />
      )}
      <div className="state">
        <Button variant="subtle" onClick={() => location.assign('/')}>
          Go to the board
        </Button>
      </div>
    </div>
  )
}

/**
 * Only some of the page's files may be loaded, so the browser reloads the whole page: at once if the service can be reached, since the
 * files are gone then, and otherwise as soon as it can. At once only if nothing else would be lost, such as what is typed on the board
 * beside which a task was to be opened; else a button does.
 */
function NotLoaded({ error, place }: { error: PageNotLoaded; place: RefObject<HTMLDivElement | null> }) {
  const [state, setState] = useState<'asking' | 'reloading' | 'gone' | 'unreachable'>('asking')
  useEffect(() => {
    let isOver = false
    void isReachable().then((isThere) => {
      if (isOver) return
      const isAlone = place.current?.parentElement?.id === 'main'
      setState(isThere ? (isAlone && reloadOnce() ? 'reloading' : 'gone') : 'unreachable')
    })
    return () => {
      isOver = true
    }
  }, [place])
  const isUnreachable = state === 'unreachable'
  useEffect(() => (isUnreachable ? onReachable(() => void reload()) : undefined), [isUnreachable])
  if (state === 'gone')
    return <Failed error={new Error(goneWords('this page'))} retry={() => location.reload()} label={goneLabel} />
  return isUnreachable ? <Failed error={error} retry={() => void reload()} /> : <PageComes />
}

/** Reloads the page only if the service responds; otherwise the browser would show its own error page instead of the app. */
async function reload(): Promise<void> {
  if (await isReachable()) location.reload()
}

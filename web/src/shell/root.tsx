// In charge of what surrounds every page except the guest page: the top bar and a warning while offline. If nobody is signed in,
// the sign-in page is shown instead. If the session ends while a page is open, the page stays below the sign-in, because it may
// have changes that are not saved.
import { useNetwork } from '@mantine/hooks'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Outlet, useLocation, useRouter } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { CommandHost } from '../command/command-host.tsx'
import { keepLive, useLiveState } from '../lib/live-connection.ts'
import { keepQueriesLive } from '../lib/live-queries.ts'
import { callerQuery } from '../lib/queries.ts'
import { takePlace } from '../lib/return-to.ts'
import { isNotSignedIn } from '../lib/session.ts'
import { StartGuard } from '../money/start-guard.tsx'
import { Hints } from '../ui/hints.tsx'
import { Icon } from '../ui/icons.tsx'
import { ShortcutHelp } from '../ui/shortcut-help.tsx'
import { Failed, Loading } from '../ui/states.tsx'
import { ViewerHost } from '../viewer/viewer-host.tsx'
import { ReplacedUser } from './replaced-user.tsx'
import { SignInAgain, SignInPage } from './sign-in-page.tsx'
import { TopBar } from './top-bar.tsx'
import { useKeptScroll } from './use-kept-scroll.ts'

export function Root() {
  return useLocation().pathname === '/guest' ? <Outlet /> : <Frame />
}

function Frame() {
  const caller = useQuery(callerQuery)
  const { online } = useNetwork()
  const live = useLiveState()
  const isOut = isNotSignedIn(caller.error)
  useFollowing(caller.data !== undefined && !isOut)
  const main = useRef<HTMLElement>(null)
  useKeptScroll(main)
  if (isOut && !caller.data) return <SignInPage />
  if (caller.isPending) return <Loading what="Atelier" />
  if (!caller.data) return <Failed error={caller.error} retry={() => void caller.refetch()} />
  return (
    <>
      <div className="frame" data-live={live} inert={isOut}>
        <a className="skip" href="#main">
          Skip to the content
        </a>
        <TopBar caller={caller.data} />
        {online ? null : (
          <div className="offline" role="status">
            <Icon name="offline" /> You are offline. What you see may be old, and nothing can be changed until you are
            back.
          </div>
        )}
        <ReplacedUser isOut={isOut} />
        <main ref={main} id="main" className="main" tabIndex={-1}>
          <Outlet />
        </main>
        {isOut ? null : (
          <>
            <CommandHost />
            <ShortcutHelp />
            <Hints />
          </>
        )}
        <StartGuard />
        <ViewerHost />
      </div>
      {isOut ? <SignInAgain /> : null}
    </>
  )
}

/** Once a user is signed in: opens the page that the user wanted before the sign-in, and keeps the data on the page up to date. */
function useFollowing(isSignedIn: boolean): void {
  const client = useQueryClient()
  const router = useRouter()
  useEffect(() => {
    if (!isSignedIn) return
    const place = takePlace()
    if (place !== null) router.history.replace(place)
    const stops = [keepQueriesLive(client), keepLive()]
    return () => {
      for (const stop of stops) stop()
    }
  }, [client, router, isSignedIn])
}

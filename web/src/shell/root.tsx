// In charge of what surrounds every page except the guest page: the top bar and warnings, as while offline. If nobody is signed in,
// the sign-in page is shown instead. If the session ends while a page is open, the page stays below the sign-in, because it may
// have changes that are not saved.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Outlet, useLocation, useRouter } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { CommandHost } from '../command/command-host.tsx'
import { keepLive, useLiveState } from '../lib/live-connection.ts'
import { keepQueriesLive } from '../lib/live-queries.ts'
import { callerQuery } from '../lib/queries.ts'
import { takePlace } from '../lib/return-to.ts'
import { isNotSignedIn, useIsReplaced } from '../lib/session.ts'
import { StartGuard } from '../money/start-guard.tsx'
import { Hints } from '../ui/hints.tsx'
import { ShortcutHelp } from '../ui/shortcut-help.tsx'
import { Failed, Loading } from '../ui/states.tsx'
import { TopWarnings, Warnings } from '../ui/warnings.tsx'
import { ViewerHost } from '../viewer/viewer-host.tsx'
import { SignInAgain, SignInPage } from './sign-in-page.tsx'
import { TopBar } from './top-bar.tsx'
import { useKeptScroll } from './use-kept-scroll.ts'

export function Root() {
  return useLocation().pathname === '/guest' ? <Outlet /> : <Frame />
}

function Frame() {
  const caller = useQuery(callerQuery)
  const live = useLiveState()
  const isOut = isNotSignedIn(caller.error)
  useFollowing(caller.data !== undefined && !isOut)
  const main = useRef<HTMLElement>(null)
  useKeptScroll(main)
  useReplaced(isOut)
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
        <Warnings />
        <main ref={main} id="main" className="main" tabIndex={-1}>
          <Outlet />
        </main>
        <CommandHost />
        <ShortcutHelp />
        <Hints />
        <StartGuard />
        <ViewerHost />
      </div>
      {isOut ? <SignInAgain /> : null}
      <TopWarnings />
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

/** Somebody else has signed in where the page asked for it, so the page is theirs from now on. */
function useReplaced(isOut: boolean): void {
  const isReplaced = useIsReplaced()
  // If there are changes that are not saved, the browser asks first, as `useAutosave` has it do.
  useEffect(() => {
    if (isReplaced && isOut) location.reload()
  }, [isReplaced, isOut])
}

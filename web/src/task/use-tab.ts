// In charge of the open tab of a task's page. The fragment of the address names it, so that a reload, a shared link and Back find it
// again; it can also name a creative: `#runs`, `#creatives/<id>`.
import { useLocation, useNavigate, useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useStable } from '../lib/use-stable.ts'
import { namedTab, type Tab, tabOf } from './tabs.ts'

export function useTab() {
  const { history } = useRouter()
  const navigate = useNavigate()
  const { hash, pathname } = useLocation()
  const [tab, setTab] = useState(() => tabOf(hash))
  // An address without a tab leaves the open one: it comes when the board beside the task gets another filter or search.
  useEffect(() => {
    const named = namedTab(hash)
    if (named) setTab(named)
  }, [hash])
  // An entry of the browser's history is shown as it was left, also if its address names no tab.
  useEffect(
    () =>
      history.subscribe(({ location, action: { type } }) => {
        if (type !== 'PUSH' && type !== 'REPLACE' && location.pathname === pathname) setTab(tabOf(location.hash))
      }),
    [history, pathname],
  )
  /** Shows a tab. It gets no entry of its own in the browser's history, as filters of lists have none: Back leaves the task. */
  const show = useStable((next: Tab) => {
    setTab(next)
    const named = next === tabOf('') ? '' : next
    void navigate({ to: '.', search: (search) => search, hash: named, hashScrollIntoView: false, replace: true })
  })
  return { tab, show, creativeId: hash.split('/')[1] }
}

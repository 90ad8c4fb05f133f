// In charge of recognizing an address of this workspace in what is typed or pasted into the command palette. Pure.

/** `path`: with its search and hash, as the router takes it. */
export type Address = { path: string; title: string }

const titles: Readonly<Record<string, string>> = {
  '/tasks/$task_id': 'Open this task',
  '/graphs/$graph_id': 'Open this graph',
  '/runs/$run_id': 'Open this run',
}

/**
 * Null if the text is no address of a page at `origin`, such as `https://atelier.example.org`. `routes`: the paths of the router's
 * routes, such as `/tasks/$task_id`.
 */
export function addressIn(text: string, origin: string, routes: readonly string[]): Address | null {
  const typed = text.trim()
  if (!/^https?:\/\//i.test(typed) || !URL.canParse(typed)) return null
  const url = new URL(typed)
  const route = url.origin === origin ? routes.find((one) => isOn(one, url.pathname)) : undefined
  if (route === undefined) return null
  return { path: `${url.pathname}${url.search}${url.hash}`, title: titles[route] ?? 'Open this page' }
}

function isOn(route: string, pathname: string): boolean {
  const [wanted, given] = [route.split('/'), pathname.split('/')]
  return (
    wanted.length === given.length &&
    wanted.every((part, at) => (part.startsWith('$') ? given[at] !== '' : part === given[at]))
  )
}

// In charge of recognizing an address of this workspace in what is typed or pasted into the command palette. Pure.
import { places } from '../ui/places.ts'

/** `path`: with its search and hash, as the router takes it. */
export type Address = { path: string; title: string }

const records: readonly [RegExp, string][] = [
  [/^\/tasks\/[^/]+$/, 'Open this task'],
  [/^\/graphs\/[^/]+$/, 'Open this graph'],
  [/^\/runs\/[^/]+$/, 'Open this run'],
]

/** Null if the text is no address of a page at `origin`, such as `https://atelier.example.org`. */
export function addressIn(text: string, origin: string): Address | null {
  const typed = text.trim()
  if (!/^https?:\/\//i.test(typed) || !URL.canParse(typed)) return null
  const url = new URL(typed)
  if (url.origin !== origin) return null
  const record = records.find(([form]) => form.test(url.pathname))
  const isPage = places.some(({ to }) => to === url.pathname) || /^\/notices(\/settings)?$/.test(url.pathname)
  if (!record && !isPage) return null
  return { path: `${url.pathname}${url.search}${url.hash}`, title: record ? record[1] : 'Open this page' }
}

// In charge of saved views: a view is a name for a search, a filter and a sort order of the board, and is stored in this browser.
// Users who want to share a view share the address of the page.
import { remember, remembered } from '../lib/storage.ts'
import type { BoardSearch } from './search-params.ts'

export type View = { name: string; search: BoardSearch }

const isView = (value: unknown): value is View =>
  typeof value === 'object' &&
  value !== null &&
  'name' in value &&
  typeof value.name === 'string' &&
  'search' in value &&
  typeof value.search === 'object'
const isViews = (value: unknown): value is View[] => Array.isArray(value) && value.every(isView)

export const savedViews = (): View[] => remembered('views', isViews, [])
export const saveViews = (views: View[]): void => remember('views', views)

/** Adds a view to the list, which stays sorted by name; a view with the same name is replaced. */
export function withView(views: readonly View[], view: View): View[] {
  return [...views.filter(({ name }) => name !== view.name), view].toSorted((a, b) => a.name.localeCompare(b.name))
}

export const sameSearch = (a: BoardSearch, b: BoardSearch): boolean =>
  a.q === b.q && a.filter === b.filter && a.sort === b.sort

/** The saved view with the same search, filter and sort order as the present address. */
export const currentView = (views: readonly View[], search: BoardSearch): View | undefined =>
  views.find((view) => sameSearch(view.search, search))

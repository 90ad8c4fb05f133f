// In charge of pages with scripts that are loaded when the page is opened, and of the error if the scripts cannot be loaded.
import { lazyRouteComponent } from '@tanstack/react-router'

/**
 * Thrown if the scripts of a page cannot be loaded: the app is offline, or an update of the service has removed the old files, which
 * `PageFailed` finds out. Its message replaces the browser's, which would show users the names of files.
 */
export class PageNotLoaded extends Error {
  constructor(cause: unknown) {
    super('This page could not be loaded. Check your connection; it opens by itself once the service can be reached.', {
      cause,
    })
  }
}

/** Makes a component that loads a page on demand: `name` is the name under which the page's module exports the page. */
export const lazyPage: typeof lazyRouteComponent = (importer, name) =>
  lazyRouteComponent(
    () =>
      importer().catch((error: unknown) => {
        throw new PageNotLoaded(error)
      }),
    name,
  )

// In charge of pages whose scripts are loaded when the page is opened, and of the error if they cannot be loaded.
import { lazyRouteComponent } from '@tanstack/react-router'

/** Happens offline, or after an update that removed the old files. The browser's own message names files and is not shown. */
export class PageNotLoaded extends Error {
  constructor(cause: unknown) {
    super('This page could not be loaded. Check your connection; it opens by itself once the service can be reached.', {
      cause,
    })
  }
}

/** The component of a page, by the name under which its module exports it. */
export const lazyPage: typeof lazyRouteComponent = (importer, name) =>
  lazyRouteComponent(
    () =>
      importer().catch((error: unknown) => {
        throw new PageNotLoaded(error)
      }),
    name,
  )

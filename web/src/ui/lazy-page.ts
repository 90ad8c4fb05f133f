// In charge of pages whose scripts are fetched when they are opened: what is thrown where they do not come.
import { lazyRouteComponent } from '@tanstack/react-router'

/** Without a connection, or after an update that took the old files away. The browser's own words name files. */
export class PageNotLoaded extends Error {
  constructor(cause: unknown) {
    super('This page could not be loaded. Check your connection; it opens by itself once the service can be reached.', {
      cause,
    })
  }
}

/** The component of a page, by the name its module exports it under. */
export const lazyPage: typeof lazyRouteComponent = (importer, name) =>
  lazyRouteComponent(
    () =>
      importer().catch((error: unknown) => {
        throw new PageNotLoaded(error)
      }),
    name,
  )

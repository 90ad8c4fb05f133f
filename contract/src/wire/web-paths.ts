// In charge of the addresses of the web app's pages: the server returns the app for them, and the app's router handles them
// all.

/** In the syntax of the server's router; all other addresses do not belong to the app. */
export const webPaths = [
  '/',
  '/tasks/:task_id',
  '/lookup',
  '/graphs',
  '/graphs/:graph_id',
  '/runs',
  '/runs/:run_id',
  '/automations',
  '/money',
  '/notices',
  '/notices/settings',
  '/people',
  '/products',
  '/templates',
  '/tokens',
  '/providers',
  '/guest',
] as const
export type WebPath = (typeof webPaths)[number]

/** The built file for an address: the app's page, with links to the scripts that this address needs first. */
export const pageFile = (path: WebPath): string =>
  path === '/' ? '/index.html' : `/pages${path.replaceAll(':', '')}.html`

// In charge of the addresses of the web app's pages. The server returns the app for each of these addresses, and the app's
// router then shows the page.

/** The patterns are in the syntax of the server's router; the app has no other addresses. */
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

/** The name of the built HTML file for an address; the file links to the scripts that this page needs first. */
export const pageFile = (path: WebPath): string =>
  path === '/' ? '/index.html' : `/pages${path.replaceAll(':', '')}.html`

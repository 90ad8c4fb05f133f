// In charge of the addresses of the web app's pages. The server returns the app for each of these addresses, and the app's
// router then shows the page.

/** All addresses of the app, as patterns in the syntax of the server's router. */
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

/** The path of the built HTML file for an address; each file links to the scripts of its page. */
export const pageFile = (path: WebPath): string =>
  path === '/' ? '/index.html' : `/pages${path.replaceAll(':', '')}.html`

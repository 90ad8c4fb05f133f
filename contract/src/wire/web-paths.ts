// In charge of the addresses of the web app's pages: the server answers them with the app, the app's router has them all.

/** In the form of the server's router; what else is asked for is not the app's. */
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
  '/tokens',
  '/providers',
  '/guest',
] as const
export type WebPath = (typeof webPaths)[number]

/** The file of what was built that answers an address: the app, naming what is needed first there. */
export const pageFile = (path: WebPath): string =>
  path === '/' ? '/index.html' : `/pages${path.replaceAll(':', '')}.html`

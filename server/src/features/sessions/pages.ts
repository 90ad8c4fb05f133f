// In charge of the small pages that a browser shows when a sign-in does not lead straight to the web app.
import { hash } from 'node:crypto'
import type { FastifyReply } from 'fastify'

/**
 * A page to show. `text` is plain text in which backticks mark code; `again`: whether to offer another attempt; `code`: the code of
 * the sign-in link, which the button on the page submits.
 */
export type Page = { status: number; title: string; text: string; again?: boolean; code?: string }

export const linkPage: Page = {
  status: 200,
  title: 'Sign in with a link',
  text: 'This service prints a sign-in link when it starts: open that one. For another, run `npm run sign-in` on the machine of the service, or ask an admin.',
}
export const confirmPage = (name: string | null, code: string): Page => ({
  status: 200,
  title: 'Sign in to Atelier',
  text: `The button signs this browser in${name === null ? '' : ` as ${name.replaceAll('`', "'")}`}. The link is good once.`,
  code,
})
export const foreignPage: Page = {
  status: 403,
  title: 'This did not come from a page of this service',
  text: 'Nothing has happened. Open the sign-in link itself, and press the button there. If you did: the operator looks at `PUBLIC_URL`.',
}
export const usedLinkPage: Page = {
  status: 410,
  title: 'This link is not good any more',
  text: 'A sign-in link is good once, for 15 minutes. For another, run `npm run sign-in` on the machine of the service, or ask an admin.',
}
export const elsewherePage: Page = {
  status: 403,
  title: 'This link works on the machine of the service only',
  text: 'Open it in a browser there; it has not been used up. To let links be opened from anywhere, the operator sets `ATELIER_SIGN_IN_LINKS=anywhere`.',
}
export const deactivatedPage: Page = {
  status: 403,
  title: 'You have no access any more',
  text: 'This account is deactivated here. An admin can activate it again.',
}
export const noIssuerPage: Page = {
  status: 404,
  title: 'Nobody signs in here that way',
  text: 'No identity provider is set for signing in (`ATELIER_OAUTH_CLIENT_ID`).',
}
export const strayedPage: Page = {
  status: 400,
  title: 'This sign-in was not begun here',
  text: 'It was begun in another browser, more than ten minutes ago, or is finished already. Nothing has happened.',
  again: true,
}
export const issuerDownPage: Page = {
  status: 503,
  title: 'The identity provider does not answer',
  text: 'Nobody can sign in until it does. Try again in a moment; if it stays, tell the operator.',
  again: true,
}
export const issuerWrongPage: Page = {
  status: 502,
  title: 'The identity provider’s answer is not good',
  text: 'It could not be verified, so nobody was signed in. If it stays, tell the operator: the log has the cause.',
  again: true,
}
export const declinedPage = (error: string): Page => ({
  status: 403,
  title: 'The identity provider did not sign you in',
  text: `It answered \`${error.replaceAll(/[^\w .:-]/g, '').slice(0, 100)}\`.`,
  again: true,
})

const style = `
body { margin: 20vh auto 0; max-width: 32rem; padding: 0 1rem; font: 1rem/1.5 system-ui, sans-serif; color: #1c1e21 }
h1 { font-size: 1.3rem }
button { font: inherit; padding: .5rem 1.25rem }
code { font: .95em ui-monospace, monospace; overflow-wrap: anywhere }
@media (prefers-color-scheme: dark) {
  body { background: #16181c; color: #e6e6e6 }
  a { color: #8ab4f8 }
}
`
const policy = (formAction: string): string =>
  `default-src 'none'; style-src 'sha256-${hash('sha256', style, 'base64')}'; img-src 'self'; ` +
  `base-uri 'none'; form-action ${formAction}; frame-ancestors 'none'`

export function sendPage(reply: FastifyReply, { status, title, text, again = false, code }: Page): FastifyReply {
  const form = `
<form method="post" action="/sign-in"><input type="hidden" name="code" value="${escaped(code ?? '')}"><button>Sign in</button></form>`
  // With the usual policy, `no-referrer`, the browser would not send the page's origin when the form is submitted.
  if (code !== undefined) reply.header('referrer-policy', 'same-origin')
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escaped(title)} – Atelier</title>
<link rel="icon" href="/icon.svg" type="image/svg+xml">
<style>${style}</style>
</head>
<body>
<main>
<h1>${escaped(title)}</h1>
<p>${escaped(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>')}</p>${again ? '\n<p><a href="/sign-in">Try again</a></p>' : ''}${code === undefined ? '' : form}
</main>
</body>
</html>
`
  return reply
    .status(status)
    .header('content-security-policy', policy(code === undefined ? "'none'" : "'self'"))
    .type('text/html; charset=utf-8')
    .send(html)
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

// In charge of the page at /docs/errors, which lists all refusal codes. The `type` of a refusal's response is a link to the section
// of its code on this page.
import { refusalMembers, refusals } from '@atelier/contract/wire/errors.ts'

export const errorsPageStyle = `
body { margin: 2rem auto; max-width: 46rem; padding: 0 1rem; font: 1rem/1.5 system-ui, sans-serif; color: #1c1e21 }
h2 { margin: 2rem 0 0; font-size: 1.1rem }
section:target { background: #fff6d6; outline: .5rem solid #fff6d6 }
p { margin: .4rem 0 }
code { font: .95em ui-monospace, monospace }
@media (prefers-color-scheme: dark) {
  body { background: #16181c; color: #e6e6e6 }
  a { color: #8ab4f8 }
  section:target { background: #3a3212; outline-color: #3a3212 }
}
`

/** Returns the page as HTML; `iconPath` is the path of the page's icon. */
export function errorsPage(iconPath: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Refusal codes – Atelier API</title>
<link rel="icon" href="${iconPath}" type="image/svg+xml">
<style>${errorsPageStyle}</style>
</head>
<body>
<h1>Refusal codes</h1>
<p>The <code>code</code> of an answer of type <code>application/problem+json</code>. <a href="/docs">The API</a></p>
${Object.entries(refusals).map(section).join('\n')}
</body>
</html>
`
}

function section([code, { status, title, when, action }]: [string, (typeof refusals)[keyof typeof refusals]]): string {
  const members = Object.entries(refusalMembers).find(([name]) => name === code)?.[1] ?? {}
  const also = Object.keys(members).map((member) => `<code>${member}</code>`)
  return `<section id="${code}">
<h2><code>${code}</code></h2>
<p>${status} · ${toHtml(title)}</p>
<p>${toHtml(when)} ${toHtml(action)}</p>${also.length > 0 ? `\n<p>The body also has ${also.join(', ')}.</p>` : ''}
</section>`
}

/** Escapes HTML and turns text between backticks into `<code>` elements. */
function toHtml(text: string): string {
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  return escaped.replaceAll(/`([^`]+)`/g, '<code>$1</code>')
}

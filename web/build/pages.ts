// In charge of building one HTML page for each address of the app. Tags in the head of a page let the browser download these files
// early and in parallel: the script that requests the page's data (`aheadEntry`), the font, and the page's scripts and styles.
import path from 'node:path'
import { pageFile, type WebPath, webPaths } from '@atelier/contract/wire/web-paths.ts'
import type { Plugin, Rolldown } from 'vite'

/** For each address: the modules that the router imports when a user opens the address. */
export const lazyPages: Record<WebPath, readonly string[]> = {
  '/': ['src/board/board-page.tsx'],
  '/tasks/:task_id': ['src/board/board-page.tsx', 'src/task/task-page.tsx'],
  '/lookup': ['src/lookup/lookup-page.tsx'],
  '/graphs': ['src/graph/graphs-page.tsx'],
  '/graphs/:graph_id': ['src/studio/graph-page.tsx'],
  '/runs': ['src/run/runs-page.tsx'],
  '/runs/:run_id': ['src/run/run-page.tsx'],
  '/automations': ['src/automations/automations-page.tsx'],
  '/money': ['src/money/money-page.tsx'],
  '/notices': ['src/notices/notices-page.tsx'],
  '/notices/settings': ['src/notices/settings-page.tsx'],
  '/people': ['src/people/people-page.tsx'],
  '/products': ['src/people/products-page.tsx'],
  '/templates': ['src/people/templates-page.tsx'],
  '/tokens': ['src/people/tokens-page.tsx'],
  '/providers': ['src/people/providers-page.tsx'],
  '/guest': ['src/guest/guest-page.tsx'],
}

/** The script that requests a page's data. It is an entry of its own in the build, so that it runs before the rest is loaded. */
export const aheadEntry = 'src/ahead.ts'
/** Matches the name of the font file that nearly all text uses. */
const typeface = /inter-latin-wght-normal.*\.woff2$/

export function pages(): Plugin {
  let root = ''
  return {
    name: 'atelier-pages',
    apply: 'build',
    configResolved: (config) => {
      root = config.root
    },
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const index = bundle['index.html']
        if (index?.type !== 'asset') this.error('The page of the app was not built.')
        const needs = (module: string) => filesOf(bundle, path.join(root, module))
        const [ahead = this.error(`${aheadEntry} was not built.`)] = needs(aheadEntry)
        const font = Object.keys(bundle).find((file) => typeface.test(file))
        if (font === undefined) this.error('The typeface of the app was not built.')
        const first = [
          `<link rel="preload" as="font" type="font/woff2" crossorigin href="/${font}">`,
          `<script type="module" async crossorigin src="/${ahead}"></script>`,
        ]
        const html = String(index.source).replace('<script', () => `${first.join('\n    ')}\n    <script`)
        for (const place of webPaths) {
          const files = new Set(lazyPages[place].flatMap(needs).filter((file) => !html.includes(`"/${file}"`)))
          const tags = [...files].map((file) => `  ${tagOf(file)}\n  `)
          const source = withStylesLast(html.replace('</head>', () => `${tags.join('')}</head>`))
          this.emitFile({ type: 'asset', fileName: pageFile(place).slice(1), source })
        }
        delete bundle['index.html']
      },
    },
  }
}

/**
 * Moves the links to styles from the head to the end of the body. In the head they would delay everything that a browser draws;
 * at the end of the body they do not delay the placeholder in `index.html`. Preload links in the head start the downloads early.
 */
function withStylesLast(html: string): string {
  const styles = html.match(/<link rel="stylesheet"[^>]*>/g) ?? []
  const early = styles.map((tag) => tag.replace('rel="stylesheet"', 'rel="preload" as="style"'))
  let at = 0
  return html
    .replaceAll(/<link rel="stylesheet"[^>]*>/g, () => early[at++] ?? '')
    .replace('</body>', () => `${styles.map((tag) => `  ${tag}\n  `).join('')}</body>`)
}

const tagOf = (file: string): string =>
  file.endsWith('.css')
    ? `<link rel="stylesheet" crossorigin href="/${file}">`
    : `<link rel="modulepreload" crossorigin href="/${file}">`

/** Returns the script file of a module, followed by the scripts that it imports (directly or not) and the styles of all these. */
function filesOf(bundle: Rolldown.OutputBundle, module: string): string[] {
  const files = new Set<string>()
  const take = (chunk: Rolldown.OutputAsset | Rolldown.OutputChunk | undefined) => {
    if (chunk?.type !== 'chunk' || files.has(chunk.fileName)) return
    files.add(chunk.fileName)
    for (const file of chunk.imports) take(bundle[file])
    for (const file of chunk.viteMetadata?.importedCss ?? []) files.add(file)
  }
  take(Object.values(bundle).find((chunk) => chunk.type === 'chunk' && chunk.facadeModuleId === module))
  return [...files]
}

// In charge of what the pages name in their heads, so that a browser fetches it at once and side by side: the script that asks
// ahead, the typeface, and for each address the scripts and styles of its own page.
import path from 'node:path'
import { pageFile, type WebPath, webPaths } from '@atelier/contract/wire/web-paths.ts'
import type { Plugin, Rolldown } from 'vite'

/** What the router fetches for each address. */
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

/** An entry of its own: it runs once it is there, and waits for nothing else of the app. */
export const aheadEntry = 'src/ahead.ts'
/** What nearly all text is set in. */
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
 * A browser draws nothing before the styles of the head are there. Below what the page shows at first they keep only the
 * app waiting, which comes later anyway. They are fetched as early all the same.
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

/** The script of a module, and after it every script and style it cannot run without. */
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

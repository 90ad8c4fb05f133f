// In charge of how `vite` builds the web app: one HTML page for each address, scripts split by route, and every file compressed.
import path from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { aheadEntry, pages } from './build/pages.ts'
import { precompress } from './build/precompress.ts'
import { wireTable } from './build/wire-table.ts'

/** The service to which the development server of `vite` forwards requests for the API and for signing in. */
const service = process.env.ATELIER_URL ?? 'http://127.0.0.1:3000'

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), wireTable(), pages(), precompress()],
  build: {
    target: 'es2023',
    rolldownOptions: {
      input: ['index.html', aheadEntry].map((file) => path.join(import.meta.dirname, file)),
    },
    // The polyfill for preloading modules is left out, because browsers that need it cannot run the rest of the app either.
    modulePreload: { polyfill: false },
    // No file is inlined as a `data:` URL, because the content security policy of the page allows such URLs only for pictures.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 700,
    reportCompressedSize: false,
  },
  server: {
    proxy: Object.fromEntries(
      // The service accepts the session cookie only in requests from its own pages. With the service's own address as `origin`,
      // the requests that `vite` forwards look like requests from such a page.
      ['/api', '/session', '/sign-in', '/docs', '/openapi.json'].map((path) => [
        path,
        { target: service, changeOrigin: true, headers: { origin: new URL(service).origin } },
      ]),
    ),
  },
})

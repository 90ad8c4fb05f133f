// In charge of building the web app: one page, its scripts by route, everything compressed once.
import path from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { aheadEntry, pages } from './build/pages.ts'
import { precompress } from './build/precompress.ts'
import { wireTable } from './build/wire-table.ts'

/** The service that `vite` hands requests on to while the app is being worked on. */
const service = process.env.ATELIER_URL ?? 'http://127.0.0.1:3000'

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), wireTable(), pages(), precompress()],
  build: {
    target: 'es2023',
    rolldownOptions: {
      input: ['index.html', aheadEntry].map((file) => path.join(import.meta.dirname, file)),
    },
    // Polyfills of module preloading are for browsers that cannot run the rest either.
    modulePreload: { polyfill: false },
    // Files of their own, because the policy of the page takes no `data:` but pictures.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 700,
    reportCompressedSize: false,
  },
  server: {
    proxy: Object.fromEntries(
      // The service takes the session's cookie from its own pages only: to it, these requests come from one.
      ['/api', '/session', '/sign-in', '/docs', '/openapi.json'].map((path) => [
        path,
        { target: service, changeOrigin: true, headers: { origin: new URL(service).origin } },
      ]),
    ),
  },
})

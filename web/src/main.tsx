// In charge of starting the app: it requests the page's data (`ahead.ts`), loads the styles of all pages, and renders the router.
import './ahead.ts'
import '@fontsource-variable/inter/wght.css'
import '@mantine/core/styles.layer.css'
import '@mantine/notifications/styles.layer.css'
import './ui/tokens.css'
import './shell/shell.css'
import './ui/forced-colors.css'
import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { uploadDroppedBy } from './board/dropped-files.ts'
import { queryClient } from './lib/query-client.ts'
import { router } from './router.tsx'
import { refuseDrops } from './ui/refuse-drops.ts'
import { theme, variables } from './ui/theme.ts'
import { ToastHost } from './ui/toast-host.tsx'

const place = document.getElementById('root')
if (!place) throw new Error('The page has no element with the id "root".')
refuseDrops()
uploadDroppedBy(async () => (await import('./task/card-uploads.tsx')).CardUploads)
createRoot(place).render(
  <StrictMode>
    <MantineProvider theme={theme} cssVariablesResolver={variables} defaultColorScheme="auto">
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
        <ToastHost />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
)

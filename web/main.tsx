import '@mantine/core/styles.layer.css'
import '#web/theme.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { RouterProvider } from 'react-router/dom'
import { queryClient } from '#web/core/api.ts'
import { BrandProvider } from '#web/core/BrandProvider.tsx'
import '#web/core/i18n.ts'
import { OnDemand } from '#web/core/OnDemand.tsx'
import { followRouter } from '#web/core/pending.ts'
import { SessionProvider } from '#web/core/session.tsx'
import { router } from '#web/routes.tsx'

followRouter(router)

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <SessionProvider>
        <BrandProvider>
          <RouterProvider router={router} />
          <OnDemand />
        </BrandProvider>
      </SessionProvider>
    </QueryClientProvider>
  </StrictMode>,
)

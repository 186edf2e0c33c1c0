import '@mantine/core/styles.layer.css'
import '#web/theme.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { RouterProvider } from 'react-router/dom'
import { leadBy } from '#web/core/goTo.ts'
import '#web/core/i18n.ts'
import { Look } from '#web/core/Look.tsx'
import { OnDemand } from '#web/core/OnDemand.tsx'
import { followRouter } from '#web/core/pending.ts'
import { SessionProvider } from '#web/core/session.tsx'
import { router } from '#web/routes.tsx'

followRouter(router)
leadBy(router)

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <SessionProvider>
      <Look>
        <RouterProvider router={router} />
        <OnDemand />
      </Look>
    </SessionProvider>
  </StrictMode>,
)

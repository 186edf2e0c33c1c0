import '#web/core/texts.ts'
import { QueryClientProvider } from '@tanstack/react-query'
import { Outlet } from 'react-router'
import { queryClient } from '#web/core/api.ts'
import { useBrandQuery } from '#web/core/useBrand.ts'

/** What every page but the login needs: answers of the server, the brand, the texts. Its own chunk. */
export const Data = () => (
  <QueryClientProvider client={queryClient}>
    <Brand />
    <Outlet />
  </QueryClientProvider>
)

function Brand() {
  useBrandQuery()
  return null
}

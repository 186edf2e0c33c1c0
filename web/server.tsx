import '#web/core/withoutEval.ts'
import { dehydrate, QueryClient } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { renderToString } from 'react-dom/server'
import { createStaticHandler, createStaticRouter, StaticRouterProvider } from 'react-router'
import { App } from '#web/App.tsx'
import { writtenWays } from '#web/auth/useWays.ts'
import { academy } from '#web/core/academy.ts'
import { ClientContext } from '#web/core/api.ts'
import { wire } from '#web/core/http.ts'
import '#web/core/i18n.ts'
import { MarkdownText } from '#web/core/Markdown.tsx'
import { CookieBanner } from '#web/privacy/Consent.tsx'
import { chunksOf, routes } from '#web/routes.tsx'
import type { CreateDraw, Draw } from '#shared/drawn.ts'
import type { Academy } from '#shared/settings.ts'

const handler = createStaticHandler(routes)
/** A page asks for something, draws, and may then ask for more; none of ours goes deeper. */
const ROUNDS = 3

export const createDraw: CreateDraw = (send) => {
  wire.send = send
  return draw
}

const draw: Draw = async ({ url, academy: facts, ways }) => {
  const context = await handler.query(new Request(`http://page${url}`))
  if (context instanceof Response) return null
  const chunks = chunksOf(context.matches)
  if (!chunks.some(({ drawn }) => drawn)) return null
  await Promise.all([...chunks, CookieBanner, MarkdownText].map(({ fetch }) => fetch()))

  const client = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: 60_000, networkMode: 'always' } } })
  const router = createStaticRouter(handler.dataRoutes, context)
  // Drawing never waits, so nothing of another request comes between what is set here and its end.
  const paint = () => {
    academy.set(facts as Academy | null)
    writtenWays.set(ways)
    return renderToString(
      <StrictMode>
        <ClientContext value={client}>
          <App><StaticRouterProvider router={router} context={context} hydrate={false} /></App>
        </ClientContext>
      </StrictMode>,
    )
  }
  for (let round = 0; round < ROUNDS; round++) {
    const html = paint()
    const asked = client.getQueryCache().getAll()
    const open = asked.filter(({ state, options }) => state.status === 'pending' && (options as { enabled?: unknown }).enabled !== false)
    if (open.length === 0) return { html, answers: asked.length > 0 ? JSON.stringify(dehydrate(client)) : null, files: [...chunks.map(({ file }) => file), 'privacy/CookieBanner.tsx'] }
    // Not found, too many, no answer: the browser asks again and says what it is.
    const answered = await Promise.allSettled(open.map((query) => query.fetch()))
    if (answered.some(({ status }) => status === 'rejected')) return null
  }
  return null
}

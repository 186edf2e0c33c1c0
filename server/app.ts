import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import cookie from '@fastify/cookie'
import statics from '@fastify/static'
import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import { accountRoutes } from '#server/auth/accountRoutes.ts'
import { auditRoutes } from '#server/audit/routes.ts'
import type { AuthLibrary } from '#server/auth/library.ts'
import { externalRoute } from '#server/auth/raw.ts'
import { authRoutes } from '#server/auth/routes.ts'
import { createVerifier } from '#server/auth/service.ts'
import { samlRoutes, ssoRoutes } from '#server/auth/ssoRoutes.ts'
import { companyRoutes, logoRoute } from '#server/companies/routes.ts'
import { consentRoutes } from '#server/consent/routes.ts'
import { answerFailure } from '#server/core/failure.ts'
import { healthRoute } from '#server/core/health.ts'
import { type Mount, mount } from '#server/core/http.ts'
import { openApi, openApiRoutes } from '#server/core/openapi.ts'
import { type PageOf, withPage } from '#server/core/pages.ts'
import { notFound } from '#server/core/problem.ts'
import type { Services } from '#server/core/services.ts'
import { courseRoutes } from '#server/courses/routes.ts'
import { pageOf } from '#server/events/pages.ts'
import { eventFiles } from '#server/events/raw.ts'
import { eventRoutes } from '#server/events/routes.ts'
import { fileRoutes } from '#server/files/raw.ts'
import { learnerRoutes } from '#server/learners/routes.ts'
import { mailRoutes } from '#server/mails/routes.ts'
import type { Committer } from '#server/player/commit.ts'
import { playerRoutes } from '#server/player/routes.ts'
import { privacyRoutes } from '#server/privacy/routes.ts'
import { reportRoutes } from '#server/reports/routes.ts'
import { settingsRoutes } from '#server/settings/routes.ts'
import { readAcademy } from '#server/settings/service.ts'
import { ACADEMY_ELEMENT } from '#shared/settings.ts'

const web = join(import.meta.dirname, '../dist/web')

/** The application: every domain on one line, the API page, and the built browser part. */
export async function createApp(services: Services, library: AuthLibrary, commit: Committer) {
  const { config, log } = services
  const isSecure = config.publicUrl.startsWith('https:')
  const app = Fastify({
    loggerInstance: log as FastifyBaseLogger, logController: new LogController({ disableRequestLogging: true }), genReqId: () => crypto.randomUUID(), trustProxy: config.trustProxy,
    bodyLimit: 4 * 1024 ** 2, forceCloseConnections: 'idle', routerOptions: { maxParamLength: 4000 },
  })
  app.setErrorHandler(answerFailure)
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id).header('x-content-type-options', 'nosniff')
    // Our cookies go over HTTPS only: whoever types the address without it is not led over an open line first.
    if (isSecure) reply.header('strict-transport-security', 'max-age=31536000')
  })
  app.addHook('onResponse', async (request, reply) => {
    const line = { method: request.method, route: request.routeOptions.url ?? 'unknown', status: reply.statusCode, ms: Math.round(reply.elapsedTime) }
    request.log.debug(line, 'request')
  })
  await app.register(cookie)

  const verify = createVerifier(services, library)
  const on: Mount = mount(app, services, (request) => verify(request.headers.authorization, request.routeOptions.url))
  authRoutes(on, library, [config.publicUrl])
  accountRoutes(on)
  ssoRoutes(on)
  samlRoutes(app, services)
  externalRoute(app, services, library)
  companyRoutes(on)
  learnerRoutes(on)
  courseRoutes(on)
  playerRoutes(on, commit)
  reportRoutes(on)
  mailRoutes(on)
  consentRoutes(on)
  privacyRoutes(on)
  auditRoutes(on)
  settingsRoutes(on)
  eventRoutes(on)
  logoRoute(app, services)
  fileRoutes(app, services, verify)
  eventFiles(app, services, verify)
  healthRoute(app, services)
  openApiRoutes(app, config.publicUrl)
  await app.register(swagger, { mode: 'static', specification: { document: openApi(config.publicUrl) as never } })
  await app.register(swaggerUi, { routePrefix: '/api/docs', staticCSP: true, theme: { title: 'Lyceum API', css: [{ filename: 'lyceum.css', content: '.swagger-ui .topbar { display: none }' }] } })

  await servePages(app, services, (url) => pageOf(services, url))
  return app
}

type App = FastifyInstance

/** The single page for every address that is no file and no API; the host of the content origin is never the application. */
async function servePages(app: App, services: Services, pageOf: PageOf) {
  const { config } = services
  const built = existsSync(join(web, 'index.html'))
  const index = built ? readFileSync(join(web, 'index.html'), 'utf8') : '<!doctype html><title>Lyceum</title><div id="root"></div>The pages are not built yet: run npm start.'
  const ways = `<meta name="sign-in" content="${config.google ? 'google' : ''}">`
  const page = index.replace('</head>', `${ways}</head>`)
  const inline = [...index.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(([, code]) => `'sha256-${createHash('sha256').update(code as string).digest('base64')}'`)
  const policy = [
    "default-src 'self'", `script-src 'self' ${inline.join(' ')}`, "style-src 'self' 'unsafe-inline'", "img-src 'self' data: blob:", "font-src 'self' data:",
    `frame-src ${config.contentOrigin}`, "connect-src 'self'", "object-src 'none'", "base-uri 'none'", "form-action 'self'", "frame-ancestors 'none'",
  ].join('; ')
  const headers = {
    'content-security-policy': policy, 'x-content-type-options': 'nosniff', 'referrer-policy': 'same-origin',
    'cross-origin-opener-policy': 'same-origin-allow-popups', 'permissions-policy': 'camera=(self), microphone=(), geolocation=()',
  }
  if (built) {
    await app.register(statics, {
      root: web, index: false, wildcard: false, preCompressed: true, cacheControl: false, globIgnore: ['index.html*'],
      setHeaders: (reply, path) => {
        const fixed = /[/\\]assets[/\\]/.test(path)
        reply.header('cache-control', fixed ? 'public, max-age=31536000, immutable' : 'no-cache')
        reply.header('x-content-type-options', 'nosniff')
      },
    })
  }
  const contentHost = new URL(config.contentOrigin).hostname
  app.setNotFoundHandler(async (request, reply) => {
    const isPage = (request.method === 'GET' || request.method === 'HEAD') && !/^\/(api|v0|assets)\//.test(request.url)
    if (!isPage) throw notFound()
    // Cookies ignore ports: on the host of the content origin a package could ride on the session. So pages move away.
    if (request.hostname === contentHost && new URL(config.publicUrl).hostname !== contentHost) return reply.redirect(config.publicUrl + request.url, 307)
    // Without the head the page still works: a database that does not answer is no reason to send nothing.
    const told = await pageOf(request.url).catch((error: unknown) => request.log.error({ err: error }, 'a page has no head'))
    if (told?.location) return reply.redirect(told.location, told.status)
    if (told) reply.code(told.status)
    if (told?.noindex) reply.header('x-robots-tag', 'noindex')
    const named = await withAcademy(page, services)
    return reply.headers(headers).header('cache-control', 'no-cache').type('text/html; charset=utf-8').send(told ? withPage(named, told) : named)
  })
}

/** The page with the academy's facts inside, so that the first paint has its name and colour. A database that is away costs only them. */
async function withAcademy(index: string, services: Services) {
  const academy = await Promise.race([readAcademy(services).catch(() => null), sleep(1000, null, { ref: false })])
  if (!academy) return index
  const json = JSON.stringify(academy).replaceAll('<', '\\u003c')
  const title = academy.name.replace(/[&<>]/g, (c) => `&#${c.charCodeAt(0)};`)
  return index.replace(/<title>[^<]*<\/title>/, () => `<title>${title}</title><script type="application/json" id="${ACADEMY_ELEMENT}">${json}</script>`)
}

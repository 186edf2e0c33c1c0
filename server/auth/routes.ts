import type { FastifyReply, FastifyRequest } from 'fastify'
import type { AuthLibrary } from '#server/auth/library.ts'
import { acceptInvitation, previewCode, readInvitation, register } from '#server/auth/registration.ts'
import { type Client, refresh, signIn, signOut } from '#server/auth/service.ts'
import type { Mount } from '#server/core/http.ts'
import { networkOf } from '#server/core/network.ts'
import { Problem } from '#server/core/problem.ts'
import { auth } from '#shared/auth.ts'
import { anyone, isSignedIn } from '#shared/users.ts'

export function authRoutes(on: Mount, library: AuthLibrary, origins: string[]) {
  /** The refresh cookie acts only for our own pages: a foreign Origin is refused before it is read. */
  const own = (request: FastifyRequest) => {
    const { origin } = request.headers
    if (origin && !origins.includes(origin) && URL.parse(origin)?.host !== request.headers.host) throw new Problem(403, 'core.forbidden')
    return clientOf(request)
  }
  on(auth.signIn, anyone, async (call, { request, reply }) => answer(reply, await signIn(call, library, own(request), call.body)))
  on(auth.token, anyone, async (call, { request, reply }) => answer(reply, await refresh(call, library, own(request))))
  on(auth.signOut, anyone, async (_, { request, reply }) => {
    keep(reply, await signOut(library, own(request)))
  })
  on(auth.register, anyone, (call, { request }) => register(call, call.body, networkOf(request.ip)))
  on(auth.previewCode, anyone, (call, { request }) => previewCode(call, call.params.code, networkOf(request.ip)))
  on(auth.invitation, anyone, (call) => readInvitation(call, call.params.token))
  on(auth.acceptInvitation, anyone, (call) => acceptInvitation(call, call.params.token, call.body))
  on(auth.me, isSignedIn, (call) => call.user)
}

function answer<T extends { cookies: string[] }>(reply: FastifyReply, { cookies, ...rest }: T) {
  keep(reply, cookies)
  reply.header('cache-control', 'no-store')
  return rest
}

const keep = (reply: FastifyReply, cookies: string[]) => {
  if (cookies.length > 0) reply.header('set-cookie', cookies)
}

function clientOf(request: FastifyRequest): Client {
  const headers = new Headers({ 'x-lyceum-client': request.ip })
  for (const name of ['cookie', 'user-agent'] as const) if (request.headers[name]) headers.set(name, request.headers[name])
  return { headers, network: networkOf(request.ip) }
}

import type { FastifyReply, FastifyRequest } from 'fastify'
import { clientOf, networkOf } from '#server/auth/client.ts'
import { refresh, signOut, StepNeeded } from '#server/auth/entry.ts'
import { startExternal } from '#server/auth/external.ts'
import type { AuthLibrary } from '#server/auth/library.ts'
import { answerConfirmation, readConfirmation, resendConfirmation } from '#server/auth/mailbox.ts'
import { acceptInvitation, previewCode, readInvitation, register } from '#server/auth/registration.ts'
import { requestReset, readReset, resetPassword } from '#server/auth/resets.ts'
import { signIn } from '#server/auth/signIn.ts'
import { connectionFor } from '#server/auth/ssoDomains.ts'
import type { Mount } from '#server/core/http.ts'
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
  on(auth.signIn, anyone, async (call, { request, reply }) => answer(reply, signIn(call, library, own(request), call.body)))
  on(auth.token, anyone, async (call, { request, reply }) => answer(reply, refresh(call, library, own(request))))
  on(auth.signOut, anyone, async (_, { request, reply }) => {
    keep(reply, await signOut(library, own(request)))
  })
  on(auth.register, anyone, (call, { request }) => register(call, call.body, networkOf(request.ip)))
  on(auth.previewCode, anyone, (call, { request }) => previewCode(call, call.params.code, networkOf(request.ip)))
  on(auth.invitation, anyone, (call) => readInvitation(call, call.params.token))
  on(auth.acceptInvitation, anyone, (call) => acceptInvitation(call, call.params.token, call.body))
  on(auth.ways, anyone, ({ config }) => ({ google: config.google !== null }))
  on(auth.sso, anyone, async ({ db, body }) => {
    const found = await connectionFor(db, body.email.trim())
    return found ? { connectionId: found.id, company: found.company, enforced: found.enforced } : null
  })
  on(auth.external, anyone, async (call, { request, reply }) => answer(reply, startExternal(call, own(request), call.body)))
  on(auth.requestReset, anyone, (call, { request }) => requestReset(call, call.body.email, networkOf(request.ip)))
  on(auth.reset, anyone, (call) => readReset(call, call.params.token))
  on(auth.setPassword, anyone, (call) => resetPassword(call, call.params.token, call.body.password))
  on(auth.resendConfirmation, anyone, (call, { request }) => resendConfirmation(call, call.body.email, networkOf(request.ip)))
  on(auth.confirmation, anyone, (call) => readConfirmation(call, call.params.token))
  on(auth.answerConfirmation, anyone, (call) => answerConfirmation(call, call.params.token, call.body.mine))
  on(auth.me, isSignedIn, (call) => call.user)
}

/** Sends the cookies along, also with the refusal that asks for a second step. */
async function answer<T extends { cookies: string[] }>(reply: FastifyReply, asked: Promise<T>) {
  reply.header('cache-control', 'no-store')
  const { cookies, ...rest } = await asked.catch((error: unknown) => {
    if (error instanceof StepNeeded) keep(reply, error.cookies)
    throw error
  })
  keep(reply, cookies)
  return rest
}

const keep = (reply: FastifyReply, cookies: string[]) => {
  if (cookies.length > 0) reply.header('set-cookie', cookies)
}

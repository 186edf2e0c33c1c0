import { changePassword, endOtherSessions, endSession, listSessions, readAccount, renameSelf, unlinkGoogle } from '#server/auth/account.ts'
import { sessionOf } from '#server/auth/client.ts'
import type { Mount } from '#server/core/http.ts'
import { accounts, ownsAccount } from '#shared/account.ts'

export function accountRoutes(on: Mount) {
  on(accounts.get, ownsAccount, (call) => readAccount(call))
  on(accounts.update, ownsAccount, (call) => renameSelf(call, call.body.name))
  on(accounts.changePassword, ownsAccount, (call, { request }) => changePassword(call, sessionOf(request), call.body))
  on(accounts.sessions, ownsAccount, (call, { request }) => listSessions(call, sessionOf(request)))
  on(accounts.endSession, ownsAccount, (call) => endSession(call, call.params.id))
  on(accounts.endOthers, ownsAccount, (call, { request }) => endOtherSessions(call, sessionOf(request)))
  on(accounts.unlinkGoogle, ownsAccount, (call) => unlinkGoogle(call, call.body.password))
}

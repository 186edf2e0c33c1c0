import {
  changePassword,
  endOtherSessions,
  endSession,
  listSessions,
  readAccount,
  renameSelf,
  unlinkGoogle,
} from "#server/auth/account/account.ts";
import {
  confirmTotp,
  listAdmins,
  newRecoveryCodes,
  removeTotp,
  resetFactors,
  startTotp,
} from "#server/auth/factors/totp.ts";
import { clientOf, sessionOf } from "#server/auth/client.ts";
import { reauthOptionsFor } from "#server/auth/reauth/reauthPolicy.ts";
import { addPasskey, removePasskey, startPasskey } from "#server/auth/factors/passkeys.ts";
import { reauthenticate } from "#server/auth/reauth/reauth.ts";
import type { Mount } from "#server/core/http.ts";
import { accounts, canResetFactors, canSeeAdmins, ownsAccount } from "#shared/account.ts";

export function accountRoutes(on: Mount) {
  on(accounts.get, ownsAccount, (call) => readAccount(call));
  on(accounts.update, ownsAccount, (call) => renameSelf(call, call.body.name));
  on(accounts.changePassword, ownsAccount, (call, { request }) => changePassword(call, sessionOf(request), call.body));
  on(accounts.sessions, ownsAccount, (call, { request }) => listSessions(call, sessionOf(request)));
  on(accounts.endSession, ownsAccount, (call) => endSession(call, call.params.id));
  on(accounts.endOthers, ownsAccount, (call, { request }) => endOtherSessions(call, sessionOf(request)));
  on(accounts.unlinkGoogle, ownsAccount, (call, { request }) =>
    unlinkGoogle(call, sessionOf(request), call.body.password),
  );
  on(accounts.startApp, ownsAccount, (call, { request }) => startTotp(call, sessionOf(request), call.body.password));
  on(accounts.confirmApp, ownsAccount, (call) => confirmTotp(call, call.body.code));
  on(accounts.removeApp, ownsAccount, (call, { request }) => removeTotp(call, sessionOf(request), call.body.password));
  on(accounts.recoveryCodes, ownsAccount, (call, { request }) =>
    newRecoveryCodes(call, sessionOf(request), call.body.password),
  );
  on(accounts.startPasskey, ownsAccount, (call, { request }) =>
    startPasskey(call, sessionOf(request), call.body.password),
  );
  on(accounts.addPasskey, ownsAccount, (call) => addPasskey(call, call.body));
  on(accounts.removePasskey, ownsAccount, (call, { request }) =>
    removePasskey(call, sessionOf(request), call.params.id, call.body.password),
  );
  on(accounts.reauthOptions, ownsAccount, (call) => reauthOptionsFor(call, call.user));
  on(accounts.reauthenticate, ownsAccount, (call, { request }) =>
    reauthenticate(call, clientOf(request), sessionOf(request), call.body),
  );
  on(accounts.admins, canSeeAdmins, (call) => listAdmins(call));
  on(accounts.resetFactors, canResetFactors, (call) => resetFactors(call, call.params.id));
}

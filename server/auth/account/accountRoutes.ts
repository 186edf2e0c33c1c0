import {
  changePassword,
  endOtherSessions,
  endSession,
  listSessions,
  readAccount,
  updateProfile,
  unlinkGoogle,
} from "#server/auth/account/account.ts";
import { listAssignableAdmins } from "#server/auth/admins/adminRows.ts";
import { cancelEmailChange, changeEmail } from "#server/auth/account/emailChange.ts";
import { confirmTotp, renewRecoveryCodes, removeTotp, resetFactors, startTotp } from "#server/auth/factors/totp.ts";
import { clientOf, sessionIdOf } from "#server/auth/client.ts";
import { listReauthOptions } from "#server/auth/reauth/reauthPolicy.ts";
import { addPasskey, removePasskey, startPasskey } from "#server/auth/factors/passkeys.ts";
import { changePin } from "#server/auth/pins/ownPin.ts";
import { reauthenticate } from "#server/auth/reauth/reauth.ts";
import type { Mount } from "#server/core/http/http.ts";
import {
  accounts,
  canCancelEmail,
  canChangeEmail,
  canResetFactors,
  canSeeAdmins,
  canUseAccount,
} from "#shared/auth/account.ts";

export function accountRoutes(on: Mount) {
  on(accounts.get, canUseAccount, (call) => readAccount(call));
  on(accounts.update, canUseAccount, (call) => updateProfile(call, call.body.name));
  on(accounts.changePassword, canUseAccount, (call, { request }) =>
    changePassword(call, sessionIdOf(request), call.body),
  );
  on(accounts.changePin, canUseAccount, (call, { request }) =>
    changePin(call, clientOf(request), sessionIdOf(request), call.body),
  );
  on(accounts.sessions, canUseAccount, (call, { request }) => listSessions(call, sessionIdOf(request)));
  on(accounts.endSession, canUseAccount, (call) => endSession(call, call.params.id));
  on(accounts.endOthers, canUseAccount, (call, { request }) => endOtherSessions(call, sessionIdOf(request)));
  on(accounts.unlinkGoogle, canUseAccount, (call, { request }) =>
    unlinkGoogle(call, sessionIdOf(request), call.body.password),
  );
  on(accounts.startApp, canUseAccount, (call, { request }) =>
    startTotp(call, sessionIdOf(request), call.body.password),
  );
  on(accounts.confirmApp, canUseAccount, (call) => confirmTotp(call, call.body.code));
  on(accounts.removeApp, canUseAccount, (call, { request }) =>
    removeTotp(call, sessionIdOf(request), call.body.password),
  );
  on(accounts.recoveryCodes, canUseAccount, (call, { request }) =>
    renewRecoveryCodes(call, sessionIdOf(request), call.body.password),
  );
  on(accounts.startPasskey, canUseAccount, (call, { request }) =>
    startPasskey(call, sessionIdOf(request), call.body.password),
  );
  on(accounts.addPasskey, canUseAccount, (call) => addPasskey(call, call.body));
  on(accounts.removePasskey, canUseAccount, (call, { request }) =>
    removePasskey(call, sessionIdOf(request), call.params.id, call.body.password),
  );
  on(accounts.reauthOptions, canUseAccount, (call) => listReauthOptions(call, call.user));
  on(accounts.reauthenticate, canUseAccount, (call, { request }) =>
    reauthenticate(call, clientOf(request), sessionIdOf(request), call.body),
  );
  on(accounts.admins, canSeeAdmins, (call) => listAssignableAdmins(call));
  on(accounts.changeEmail, canChangeEmail, (call) => changeEmail(call, call.body.email));
  on(accounts.cancelEmail, canCancelEmail, (call) => cancelEmailChange(call));
  on(accounts.resetFactors, canResetFactors, (call) => resetFactors(call, call.params.id));
}

import { ApiError } from "#web/core/api/http.ts";
import { i18n } from "#web/core/i18n.ts";
import { messageOf } from "#web/core/api/messages.ts";

/** Our own refusals and a dead network have a sentence of their own; everything else is one of ours gone wrong. */
const hasOwnMessage = (error: unknown): error is ApiError =>
  error instanceof ApiError && (error.status < 500 || error.code.startsWith("auth.")) && error.code !== "core.internal";

/** The sentence of the error catalogue (spec section 8) for a login that failed. */
export const loginFailure = (error: unknown) => (hasOwnMessage(error) ? messageOf(error) : i18n.t("auth.login.failed"));
export const registrationFailure = (error: unknown) =>
  hasOwnMessage(error) ? messageOf(error) : i18n.t("auth.register.failed");
/** For Google: what the page itself notices has its sentence, a server that fails is "other". */
export const googleFailure = (error: unknown) =>
  hasOwnMessage(error) ? messageOf(error) : i18n.t("auth.external.failed");
export const googleRegistrationFailure = (error: unknown) =>
  hasOwnMessage(error) ? messageOf(error) : i18n.t("auth.register.googleFailed");

import { ApiError } from "#web/core/http/http.ts";
import { i18n } from "#web/core/i18n.ts";
import { messageOf } from "#web/core/http/messages.ts";

/** True for refusals and network errors, whose message can be shown; other errors are unexpected. */
const hasOwnMessage = (error: unknown): error is ApiError =>
  error instanceof ApiError && (error.status < 500 || error.code.startsWith("auth.")) && error.code !== "core.internal";

/** Message for a failed login. */
export const loginErrorText = (error: unknown) =>
  hasOwnMessage(error) ? messageOf(error) : i18n.t("auth.login.failed");
export const registrationErrorText = (error: unknown) =>
  hasOwnMessage(error) ? messageOf(error) : i18n.t("auth.register.failed");
/** Message for a failed login with Google. */
export const googleErrorText = (error: unknown) =>
  hasOwnMessage(error) ? messageOf(error) : i18n.t("auth.external.failed");
export const googleRegistrationErrorText = (error: unknown) =>
  hasOwnMessage(error) ? messageOf(error) : i18n.t("auth.register.googleFailed");

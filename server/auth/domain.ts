import { defineDomain } from "#server/core/domains/domain.ts";
import { rows, withAccount } from "#server/core/domains/tables.ts";
import { accountRoutes } from "#server/auth/account/accountRoutes.ts";
import { adminRoutes } from "#server/auth/admins/adminRoutes.ts";
import { recordLockout } from "#server/auth/password/lockouts.ts";
import { deleteExpiredSignInData, sendPasswordReset } from "#server/auth/password/passwordResets.ts";
import { personalData } from "#server/auth/personalData.ts";
import { recordPinLockout } from "#server/auth/pins/pinLockouts.ts";
import { authRoutes } from "#server/auth/routes.ts";
import { ssoRoutes } from "#server/auth/sso/ssoRoutes.ts";

const minutes = "minutes or hours";
const notExported = "a secret that works for minutes or hours";

export const auth = defineDomain({
  name: "auth",
  uses: ["courses", "enrolmentRules"],
  routes: [authRoutes, accountRoutes, adminRoutes, ssoRoutes],
  jobs: [sendPasswordReset, deleteExpiredSignInData, recordLockout, recordPinLockout],
  openTo: {
    guests: [
      "auth.signIn",
      "auth.register",
      "auth.signOut",
      "auth.token",
      "auth.previewCode",
      "auth.invitation",
      "auth.acceptInvitation",
      "auth.signInMethods",
      "auth.sso",
      "auth.external",
      "auth.requestReset",
      "auth.reset",
      "auth.setPassword",
      "auth.resendConfirmation",
      "auth.confirmation",
      "auth.answerConfirmation",
      "auth.emailChange",
      "auth.confirmEmailChange",
      "auth.secondStep",
      "auth.passkeyOptions",
      "auth.passkey",
      "pins.signIn",
      "pins.readCard",
    ],
    learners: [
      "auth.me",
      "accounts.get",
      "accounts.update",
      "accounts.changePassword",
      "accounts.changePin",
      "accounts.sessions",
      "accounts.endSession",
      "accounts.endOthers",
      "accounts.unlinkGoogle",
      "accounts.startApp",
      "accounts.confirmApp",
      "accounts.removeApp",
      "accounts.recoveryCodes",
      "accounts.startPasskey",
      "accounts.addPasskey",
      "accounts.removePasskey",
      "accounts.reauthOptions",
      "accounts.reauthenticate",
    ],
  },
  personalData,
  tables: {
    auth_accounts: { growth: rows(1, "learner"), kept: withAccount },
    auth_challenges: { growth: rows(1, "learner"), kept: minutes, notExported },
    auth_email_changes: { growth: rows(1, "admin"), kept: minutes, notExported },
    auth_factors: { growth: rows(1, "admin"), kept: withAccount },
    auth_keys: {
      growth: rows(1, "installation"),
      kept: "for good",
      notPersonal: { "keys of the server": "alg crv public_key private_key" },
    },
    auth_oauth_flows: { growth: rows(1, "learner"), kept: minutes, notExported },
    auth_one_time_tokens: { growth: rows(2, "learner"), kept: minutes, notExported },
    auth_passkeys: { growth: rows(1, "admin"), kept: withAccount },
    auth_pins: {
      growth: rows(1, "learner"),
      kept: withAccount,
      authors: { issued_by: "PINs and cards you issued" },
    },
    auth_recovery_codes: { growth: rows(10, "admin"), kept: withAccount, notExported },
    auth_sessions: { growth: rows(30, "learner"), kept: "at most 30 days" },
    auth_verifications: { growth: rows(1, "learner"), kept: minutes, notExported },
    sso_connections: {
      growth: rows(1, "company"),
      kept: "as long as the company",
      authors: { updated_by: "Single sign-on you set up for companies" },
      notPersonal: { "the provider": "client_id client_secret certificates entry_point issuer" },
    },
    sso_domains: {
      growth: rows(1, "company"),
      kept: "as long as the company",
      notPersonal: { "domain of the company": "domain" },
    },
  },
});

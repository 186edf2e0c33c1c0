import type { FastifyReply, FastifyRequest } from "fastify";
import { checkSecondStep } from "#server/auth/factors/totp.ts";
import { findDevice, hasSession, parseCookies } from "#server/auth/cookies.ts";
import { clientOf, sessionIdOf } from "#server/auth/client.ts";
import {
  openSession,
  finishSecondStep,
  refreshSession,
  signOut,
  SecondFactorRequired,
  secondStepToken,
} from "#server/auth/sessions.ts";
import { startProviderSignIn } from "#server/auth/sso/providerSignIn.ts";
import type { BetterAuth } from "#server/auth/betterAuth.ts";
import { answerConfirmation, readConfirmation, resendConfirmation } from "#server/auth/account/emailVerification.ts";
import { confirmEmailChange, readEmailChange } from "#server/auth/account/emailChange.ts";
import { acceptInvitation, readInvitation } from "#server/auth/account/invitationAcceptance.ts";
import { previewCode } from "#server/auth/account/accessCodes.ts";
import { register } from "#server/auth/account/registration.ts";
import { createPasskeyChallenge, verifyPasskey } from "#server/auth/factors/passkeys.ts";
import { requestPasswordReset, readPasswordReset, resetPassword } from "#server/auth/password/passwordResets.ts";
import type { Client } from "#server/auth/service.ts";
import { signInWithPassword } from "#server/auth/password/passwordSignIn.ts";
import { readCard, signInWithPin } from "#server/auth/pins/pinSignIn.ts";
import { findConnectionByEmail } from "#server/auth/sso/ssoDomains.ts";
import type { Config } from "#server/core/config.ts";
import type { Mount } from "#server/core/http/http.ts";
import { networkOf } from "#server/core/limits/network.ts";
import { Problem } from "#server/core/http/problem.ts";
import type { Services } from "#server/core/services.ts";
import { reserve } from "#server/core/limits/throttle.ts";
import { auth } from "#shared/auth/auth.ts";
import { pins } from "#shared/auth/pins.ts";
import type { BodyOf } from "#shared/core/route.ts";
import { anyone, isSignedIn } from "#shared/core/users.ts";

export function authRoutes(on: Mount, { library, config }: { library: BetterAuth; config: Config }) {
  /** A flood from a network must not keep people out who have signed in with this browser before. */
  const forKnownDevices = {
    findDevice: ({ headers }: FastifyRequest) => findDevice(config, parseCookies(headers.cookie)),
  };
  /**
   * The refresh cookie works only for our own pages: requests whose `Origin` or `Sec-Fetch-Site` names another origin
   * are refused (CSRF). The content origin is on the same site, so SameSite does not stop it.
   */
  const sameOriginClient = (request: FastifyRequest) => {
    const { origin, "sec-fetch-site": site } = request.headers;
    if (site === "same-site" || site === "cross-site") throw new Problem(403, "core.forbidden");
    if (origin && origin !== config.publicUrl && URL.parse(origin)?.host !== request.headers.host)
      throw new Problem(403, "core.forbidden");
    return clientOf(request);
  };
  const secondStep = async (call: Services, client: Client, input: BodyOf<typeof auth.secondStep>) => {
    const remainingCodes = await checkSecondStep(call, secondStepToken(call, client) ?? "", input);
    const signedIn = await finishSecondStep(call, library, client, input.method);
    return { ...signedIn, ...(remainingCodes !== undefined && { recoveryCodes: remainingCodes }) };
  };
  on(
    auth.signIn,
    anyone,
    async (call, { request, reply }) =>
      sendWithCookies(reply, signInWithPassword(call, library, sameOriginClient(request), call.body)),
    forKnownDevices,
  );
  on(
    pins.signIn,
    anyone,
    async (call, { request, reply }) =>
      sendWithCookies(reply, signInWithPin(call, library, sameOriginClient(request), call.body)),
    forKnownDevices,
  );
  on(pins.readCard, anyone, async (call, { request }) => {
    await throttle(call, request);
    return readCard(call, call.body.card);
  });
  // Guests have nothing to refresh: 204 instead of 401 avoids an error in the browser's console.
  on(
    auth.token,
    anyone,
    async (call, { request, reply }) => {
      const client = sameOriginClient(request);
      if (!hasSession(parseCookies(request.headers.cookie))) return reply.code(204).send();
      return sendWithCookies(reply, refreshSession(call, library, client));
    },
    forKnownDevices,
  );
  on(auth.signOut, anyone, async (_, { request, reply }) => {
    setCookies(reply, await signOut(library, sameOriginClient(request)));
  });
  on(auth.register, anyone, (call, { request }) => register(call, call.body, networkOf(request.ip)));
  on(auth.previewCode, anyone, (call, { request }) => previewCode(call, call.params.code, networkOf(request.ip)));
  on(auth.invitation, anyone, (call) => readInvitation(call, call.params.token));
  on(auth.acceptInvitation, anyone, (call) => acceptInvitation(call, call.params.token, call.body));
  on(auth.signInMethods, anyone, ({ config }) => ({ google: config.google !== null }));
  on(auth.sso, anyone, async (call, { request }) => {
    await throttle(call, request);
    const connection = await findConnectionByEmail(call.db, call.body.email.trim());
    if (!connection) return null;
    const { id: connectionId, company, enforced } = connection;
    return { connectionId, company, enforced };
  });
  on(auth.external, anyone, async (call, { request, reply }) => {
    await throttle(call, request);
    return sendWithCookies(
      reply,
      startProviderSignIn(call, sameOriginClient(request), call.body, call.user && sessionIdOf(request)),
    );
  });
  on(auth.secondStep, anyone, (call, { request, reply }) =>
    sendWithCookies(reply, secondStep(call, sameOriginClient(request), call.body)),
  );
  on(auth.passkeyOptions, anyone, async (call, { request }) => {
    await throttle(call, request);
    return createPasskeyChallenge(call);
  });
  on(auth.passkey, anyone, (call, { request, reply }) => {
    const client = sameOriginClient(request);
    return sendWithCookies(
      reply,
      verifyPasskey(call, call.body.response).then((userId) => openSession(call, library, client, userId, "passkey")),
    );
  });
  on(auth.requestReset, anyone, (call, { request }) =>
    requestPasswordReset(call, call.body.email, networkOf(request.ip)),
  );
  on(auth.reset, anyone, (call) => readPasswordReset(call, call.params.token));
  on(auth.setPassword, anyone, (call) => resetPassword(call, call.params.token, call.body.password));
  on(auth.resendConfirmation, anyone, (call, { request }) =>
    resendConfirmation(call, call.body.email, networkOf(request.ip)),
  );
  on(auth.confirmation, anyone, (call) => readConfirmation(call, call.params.token));
  on(auth.answerConfirmation, anyone, (call) => answerConfirmation(call, call.params.token, call.body.mine));
  on(auth.emailChange, anyone, (call) => readEmailChange(call, call.params.token));
  on(auth.confirmEmailChange, anyone, (call) => confirmEmailChange(call, call.params.token));
  on(auth.me, isSignedIn, (call) => call.user);
}

/**
 * These calls store a row or reveal a company. 300 per network in 15 minutes are enough for an office behind one
 * address.
 */
async function throttle({ db }: Services, { ip }: FastifyRequest) {
  if (!(await reserve(db, ["begin", networkOf(ip)], 300, 900)))
    throw new Problem(429, "core.tooMany", { values: { seconds: 900 } });
}

/** Sends a result with its cookies; sets the cookies also if the sign-in fails because a second factor is required. */
async function sendWithCookies<T extends { cookies: string[] }>(reply: FastifyReply, result: Promise<T>) {
  reply.header("cache-control", "no-store");
  const { cookies, ...rest } = await result.catch((error: unknown) => {
    if (error instanceof SecondFactorRequired) setCookies(reply, error.cookies);
    throw error;
  });
  setCookies(reply, cookies);
  return rest;
}

const setCookies = (reply: FastifyReply, cookies: string[]) => {
  if (cookies.length > 0) reply.header("set-cookie", cookies);
};

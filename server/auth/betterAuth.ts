import { randomUUID } from "node:crypto";
import { betterAuth } from "better-auth";
import { createAuthEndpoint } from "better-auth/api";
import { setSessionCookie } from "better-auth/cookies";
import { jwt } from "better-auth/plugins/jwt";
import { z } from "zod";
import { createDb, createPool } from "#server/core/database/db.ts";
import { sign } from "#server/core/secrets.ts";
import type { Services } from "#server/core/services.ts";
import { ID_TOKEN_SECONDS } from "#shared/auth/auth.ts";
import { SHARED_SESSION_HOURS } from "#shared/auth/pins.ts";

/** Days from the last use of a session to its end. */
const SESSION_DAYS = 14;
/** The longest duration of a session in days, regardless of use. */
export const MAX_SESSION_DAYS = 30;
/**
 * The longest duration in hours of a session opened with single sign-on, regardless of use. The provider does not
 * notify us when it disables a person, so this limits how long they keep access. At one long working day, people log in
 * at most once a day, and those who leave lose access by the next day.
 */
export const SSO_SESSION_HOURS = 12;
/**
 * Opens a session for an authenticated person. The library's own endpoints are not mounted, so only our code can call
 * this.
 */
const sessionOpener = {
  id: "lyceum",
  endpoints: {
    openSession: createAuthEndpoint(
      "/lyceum/open",
      {
        method: "POST",
        body: z.object({ userId: z.string(), connectionId: z.string().nullable(), isShared: z.boolean() }),
      },
      async (ctx) => {
        const user = await ctx.context.internalAdapter.findUserById(ctx.body.userId);
        if (!user) throw ctx.error("NOT_FOUND");
        const { connectionId, isShared } = ctx.body;
        const unshared = connectionId ? SSO_SESSION_HOURS : MAX_SESSION_DAYS * 24;
        const hours = isShared ? SHARED_SESSION_HOURS : unshared;
        const session = await ctx.context.internalAdapter.createSession(user.id, isShared, {
          isShared,
          endsAt: new Date(Date.now() + hours * 3_600_000),
          ...(connectionId && { connectionId }),
        });
        // The cookie of a shared device ends with the browser.
        await setSessionCookie(ctx, { session, user }, isShared);
        return ctx.json({ id: session.id });
      },
    ),
  },
};

export type BetterAuth = ReturnType<typeof createBetterAuth>;

/**
 * The better-auth library on our tables. It manages sessions, the session cookie and the keys of id tokens.
 * Registration (registration.ts) and sign-in rules (sessions.ts) are ours, so its own sign-in methods are disabled.
 * It has its own small connection pool because it needs dates as `Date`.
 */
export function createBetterAuth({ config, connection, log, accessChanges }: Services) {
  const pool = createPool(connection, log, { max: 4, isoTimes: false, accessChanges });
  const isSecure = config.publicUrl.startsWith("https:");
  const library = betterAuth({
    baseURL: config.publicUrl,
    basePath: "/api/auth/library",
    secret: sign(config.secret, "sign-in library"),
    database: { db: createDb(pool), type: "postgres" },
    telemetry: { enabled: false },
    logger: {
      level: "error",
      log: (level, message) => log[level === "error" ? "error" : "debug"]({ message }, "sign-in library"),
    },
    user: { modelName: "users" },
    session: {
      modelName: "authSessions",
      expiresIn: SESSION_DAYS * 86_400,
      updateAge: 86_400,
      additionalFields: {
        connectionId: { type: "string", required: false, input: false },
        endsAt: { type: "date", required: false, input: false },
        isShared: { type: "boolean", required: false, input: false },
      },
    },
    account: { modelName: "authAccounts" },
    verification: { modelName: "authVerifications", storeIdentifier: "hashed" },
    rateLimit: { enabled: false },
    emailAndPassword: { enabled: false },
    advanced: {
      // With the library's default prefix for HTTPS, a sibling host such as the content origin could set the cookie.
      cookiePrefix: isSecure ? "__Host-lyceum" : "lyceum",
      useSecureCookies: false,
      defaultCookieAttributes: { httpOnly: true, sameSite: "lax", secure: isSecure },
      database: { generateId: () => randomUUID() },
      ipAddress: { ipAddressHeaders: ["x-lyceum-client"] },
    },
    plugins: [
      sessionOpener,
      jwt({
        schema: { jwks: { modelName: "authKeys" } },
        jwks: { keyPairConfig: { alg: "ES256" } },
        jwt: {
          issuer: config.publicUrl,
          audience: config.publicUrl,
          expirationTime: `${ID_TOKEN_SECONDS}s`,
          definePayload: ({ session }) => ({ sid: session.id }),
        },
      }),
    ],
  });
  return Object.assign(library, { end: () => pool.end() });
}

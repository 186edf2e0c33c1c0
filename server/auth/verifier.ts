import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from "jose";
import { LRUCache } from "lru-cache";
import { createAccessCache } from "#server/auth/accessCache.ts";
import type { BetterAuth } from "#server/auth/betterAuth.ts";
import { readFactorRequirement } from "#server/auth/service.ts";
import { Problem } from "#server/core/http/problem.ts";
import type { Services } from "#server/core/services.ts";
import type { User } from "#shared/core/users.ts";

/** Routes that an admin without a required second factor may use. */
const allowedWithoutFactor = /^\/api\/(account|auth|me|brand)(\/|$)/;
const CACHED_TOKENS = 10_000;

/** The claims of a verified id token; times in seconds since the epoch. */
type Claims = { userId: string; sessionId: string; issuedAt: number; expiresAt: number };

/**
 * Returns a function that identifies the user of a bearer id token. Signatures are verified once per token. User,
 * company and session come from a cache that every change of them clears, so that suspensions and sign-outs take effect
 * immediately. `route` is the called route: an admin who must set up a second factor may only use some.
 */
export function createVerifier(services: Services, library: BetterAuth) {
  const { config, log } = services;
  const findUser = createAccessCache(services);
  const verified = new LRUCache<string, Claims>({ max: CACHED_TOKENS });
  let keys: ReturnType<typeof createLocalJWKSet> | null = null;
  const check = async (token: string) => {
    keys ??= createLocalJWKSet((await library.api.getJwks()) as JSONWebKeySet);
    return jwtVerify(token, keys, { issuer: config.publicUrl, audience: config.publicUrl });
  };
  const verifySignature = async (token: string): Promise<Claims | null> => {
    const result = await check(token).catch(async (error: Error) => {
      if (!/no applicable key/.test(error.message)) return null;
      keys = null;
      return check(token).catch(() => null);
    });
    if (!result) return null;
    const { sub, sid, iat = 0, exp = 0 } = result.payload;
    const claims = { userId: String(sub), sessionId: String(sid), issuedAt: iat, expiresAt: exp };
    verified.set(token, claims);
    return claims;
  };
  return async (authorization: string | undefined, route = ""): Promise<User | null> => {
    const token = /^Bearer ([\w.-]+)$/i.exec(authorization ?? "")?.[1];
    if (!token) return null;
    const cached = verified.get(token);
    const claims = cached && cached.expiresAt > Date.now() / 1000 ? cached : await verifySignature(token);
    if (!claims) {
      log.debug("an id token was refused");
      return null;
    }
    const user = await findUser(claims.userId, claims.sessionId, claims.issuedAt);
    if (!user) return null;
    const requirement = await readFactorRequirement(services, user);
    if (requirement.needsFactor && !allowedWithoutFactor.test(route))
      throw new Problem(403, "auth.factorSetupRequired");
    return { ...user, ...requirement };
  };
}

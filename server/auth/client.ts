import type { FastifyRequest } from "fastify";
import { decodeJwt } from "jose";
import { parseCookies } from "#server/auth/cookies.ts";
import type { Client } from "#server/auth/service.ts";
import { networkOf } from "#server/core/limits/network.ts";

/** The browser behind a request, for sign-in functions that must not see the request itself. */
export function clientOf(request: FastifyRequest): Client {
  const headers = new Headers({ "x-lyceum-client": request.ip });
  const agent = request.headers["user-agent"];
  if (agent) headers.set("user-agent", agent);
  const cookies = parseCookies(request.headers.cookie);
  const lines = Object.entries(cookies).map(([name, value]) => `${name}=${value}`);
  if (lines.length > 0) headers.set("cookie", lines.join("; "));
  return { headers, cookies, network: networkOf(request.ip) };
}

/** Session id of a request. The id token must have been verified (createVerifier). */
export const sessionIdOf = (request: FastifyRequest) =>
  String(decodeJwt((request.headers.authorization ?? "").slice("Bearer ".length)).sid);

import type { FastifyRequest } from "fastify";
import { decodeJwt } from "jose";
import type { Client } from "#server/auth/service.ts";
import { networkOf } from "#server/core/network.ts";

/** The browser behind a request, for sign-in functions that must not see the request itself. */
export function clientOf(request: FastifyRequest): Client {
  const headers = new Headers({ "x-lyceum-client": request.ip });
  for (const name of ["cookie", "user-agent"] as const)
    if (request.headers[name]) headers.set(name, request.headers[name]);
  return { headers, cookies: request.cookies, network: networkOf(request.ip) };
}

/** Session id of a request. The id token must have been verified (createVerifier). */
export const sessionIdOf = (request: FastifyRequest) =>
  String(decodeJwt((request.headers.authorization ?? "").slice("Bearer ".length)).sid);

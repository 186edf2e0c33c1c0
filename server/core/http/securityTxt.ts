import type { FastifyInstance } from "fastify";
import type { Config } from "#server/core/config.ts";
import { notFound } from "#server/core/http/problem.ts";

/** The expiry should be less than a year away (RFC 9116, section 2.5.5); the file is generated for each request. */
const VALID_MS = 180 * 86_400_000;

/**
 * `/.well-known/security.txt` says where to report vulnerabilities (RFC 9116); 404 unless the operator has named an
 * address.
 */
export function securityRoute(app: FastifyInstance, { securityContact, publicUrl }: Config) {
  app.get("/.well-known/security.txt", { config: { priority: "light" } }, (_, reply) => {
    if (!securityContact) throw notFound();
    const day = new Date(Date.now() + VALID_MS).toISOString().slice(0, 10);
    const lines = [
      `Contact: ${securityContact}`,
      `Expires: ${day}T00:00:00.000Z`,
      "Preferred-Languages: en",
      `Canonical: ${publicUrl}/.well-known/security.txt`,
    ];
    return reply
      .header("cache-control", "public, max-age=86400")
      .type("text/plain; charset=utf-8")
      .send(lines.map((line) => `${line}\n`).join(""));
  });
}

import { z } from "zod";
import { defineContracts, get } from "#shared/core/route.ts";
import { anyone, isSignedIn } from "#shared/core/users.ts";

// Open Badges 3.0 of certificates: the badge for its holder, and what others need to check it

/** `png`: a picture that contains the credential; `jwt`: the credential alone, for wallets that read no pictures. */
export const badgeFormat = z.enum(["png", "jwt"]);
export type BadgeFormat = z.infer<typeof badgeFormat>;

export const canGetBadge = isSignedIn;
export const canCheckBadge = anyone;

const document = z.looseObject({ id: z.string() });

export const badges = defineContracts("badges", {
  get: get("/api/certificates/:id/badge", {
    priority: "heavy",
    does: "Get a certificate as signed Open Badge 3.0; 409 if it was revoked or replaced",
    query: z.object({ format: badgeFormat.default("png") }),
    reply: z.string(),
  }),
  issuer: get("/api/issuers/:id/did.json", {
    does: "Get the DID document of an issuer of badges: its public keys (did:web)",
    reply: document,
  }),
  status: get("/api/issuers/:id/status/:list", {
    priority: "heavy",
    does: "Get a list of an issuer that says which badges were revoked (Bitstring Status List), as signed JWT",
    params: z.object({ id: z.uuid(), list: z.coerce.number().int().min(0).max(1_000_000) }),
    reply: z.string(),
  }),
});

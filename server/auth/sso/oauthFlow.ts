import type { Selectable } from "kysely";
import type { AuthOauthFlows } from "#server/core/database/db.types.ts";

/** A pending OAuth or SAML round trip: its purpose, and what must match when the person returns. */
export type OauthFlow = Pick<
  Selectable<AuthOauthFlows>,
  "id" | "connectionId" | "purpose" | "userId" | "request" | "profile"
>;

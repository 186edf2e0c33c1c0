import type { OpenIdRequest } from "#server/auth/sso/openid.ts";
import type { ExternalStart } from "#shared/auth.ts";

/** A pending OAuth or SAML round trip: its purpose, and what must match when the person returns. */
export type OauthFlow = {
  id: string;
  connectionId: string | null;
  purpose: ExternalStart["purpose"];
  userId: string | null;
  request: Partial<OpenIdRequest> & { accessCode?: string; requestId?: string; sessionId?: string };
  profile: unknown;
};

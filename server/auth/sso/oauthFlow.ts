import type { OpenIdRequest } from "#server/auth/sso/openid.ts";
import type { ExternalStart } from "#shared/auth.ts";

/** A way to a provider and back that somebody is on: what it is for, and what has to be the same at its end. */
export type OauthFlow = {
  id: string;
  connectionId: string | null;
  purpose: ExternalStart["purpose"];
  userId: string | null;
  request: Partial<OpenIdRequest> & { accessCode?: string; requestId?: string; sessionId?: string };
  profile: unknown;
};

import { X509Certificate } from "node:crypto";
import { allowInsecureRequests, ClientSecretPost, type CustomFetch, customFetch, discovery } from "openid-client";
import { isLoopback } from "#server/auth/sso/openid.ts";
import { SSO_SECRET_PURPOSE } from "#server/auth/sso/sso.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { isRefusedAddress } from "#server/core/outgoing/guardedFetch.ts";
import { badFields } from "#server/core/http/problem.ts";
import { seal } from "#server/core/secrets.ts";
import { emailDomain } from "#shared/companies/companies.ts";
import type { SsoInput } from "#shared/auth/sso.ts";
import type { User } from "#shared/core/users.ts";
import type { ErrorCode } from "#shared/locales/errors.ts";

type FieldErrors = Record<string, ErrorCode>;

/** Validates the input of an admin and returns the columns of the connection. Throws all errors together, by field. */
export async function validateSso(ctx: Ctx<User>, companyId: string, input: SsoInput, storedSecret: string | null) {
  const errors: FieldErrors = {};
  const values =
    input.kind === "oidc"
      ? await oidcValues(ctx, companyId, input, storedSecret, errors)
      : samlValues(ctx, input, errors);
  const domains = input.domains.map((domain) => emailDomain.safeParse(domain));
  if (domains.length === 0) errors.domains = "sso.domainsMissing";
  if (domains.some(({ success }) => !success)) errors.domains = "companies.badDomain";
  if (Object.keys(errors).length > 0) throw badFields(errors);
  return { ...values, domains: [...new Set(domains.flatMap(({ data }) => data ?? []))] };
}

/** URL of a provider: HTTPS without credentials, or HTTP if both servers run on this machine. Null if invalid. */
function parseProviderUrl({ config }: Ctx<User>, text: string) {
  const url = URL.parse(text);
  const isAllowed =
    url &&
    !url.username &&
    !url.password &&
    !url.hash &&
    (url.protocol === "https:" || (isLoopback(url) && isLoopback(new URL(config.publicUrl))));
  return isAllowed ? url : null;
}

async function oidcValues(
  ctx: Ctx<User>,
  companyId: string,
  input: SsoInput,
  storedSecret: string | null,
  errors: FieldErrors,
) {
  const url = parseProviderUrl(ctx, input.issuer);
  if (!input.issuer) errors.issuer = "sso.issuerMissing";
  else if (!url) errors.issuer = "sso.badAddress";
  else {
    const failure = await discoveryFailure(ctx, url, input.clientId);
    if (failure) errors.issuer = failure;
  }
  if (!input.clientId) errors.clientId = "sso.clientIdMissing";
  if (!input.clientSecret && !storedSecret) errors.clientSecret = "sso.clientSecretMissing";
  const clientSecret = input.clientSecret
    ? seal(ctx.config.secret, SSO_SECRET_PURPOSE, input.clientSecret, companyId)
    : storedSecret;
  return { issuer: input.issuer, clientId: input.clientId, clientSecret, entryPoint: "", certificates: [] as string[] };
}

/** Null if there is an OpenID discovery document at this URL. Checked when saving, to detect typing errors early. */
const discoveryFailure = (ctx: Ctx<User>, url: URL, clientId: string): Promise<ErrorCode | null> =>
  discovery(url, clientId || "unknown", "unused", ClientSecretPost("unused"), {
    timeout: 10,
    [customFetch]: ctx.fetch as CustomFetch,
    execute: isLoopback(url) ? [allowInsecureRequests] : [],
  }).then(
    () => null,
    (error: unknown) => {
      ctx.log.info({ err: error }, "OpenID discovery failed");
      return isRefusedAddress(error) ? "sso.privateAddress" : "sso.discoveryFailed";
    },
  );

function samlValues(ctx: Ctx<User>, input: SsoInput, errors: FieldErrors) {
  if (!input.issuer) errors.issuer = "sso.entityIdMissing";
  if (!input.entryPoint) errors.entryPoint = "sso.entryPointMissing";
  else if (!parseProviderUrl(ctx, input.entryPoint)) errors.entryPoint = "sso.badAddress";
  const certificates = parseCertificates(input.certificate);
  if (!input.certificate) errors.certificate = "sso.certificateMissing";
  else if (!certificates) errors.certificate = "sso.badCertificate";
  return {
    issuer: input.issuer,
    clientId: "",
    clientSecret: null,
    entryPoint: input.entryPoint,
    certificates: certificates ?? [],
  };
}

/** Up to five PEM certificates, also accepted without the BEGIN and END lines; null if one is invalid. */
function parseCertificates(text: string) {
  const blocks = text.match(/-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----/g) ?? [
    `-----BEGIN CERTIFICATE-----\n${text.replace(/\s/g, "")}\n-----END CERTIFICATE-----`,
  ];
  try {
    return blocks.slice(0, 5).map((pem) => new X509Certificate(pem).toString().trim());
  } catch {
    return null;
  }
}

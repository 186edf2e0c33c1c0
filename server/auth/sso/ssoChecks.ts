import { X509Certificate } from "node:crypto";
import { allowInsecureRequests, ClientSecretPost, discovery } from "openid-client";
import { isLoopback } from "#server/auth/sso/openid.ts";
import { SSO_SECRET_PURPOSE } from "#server/auth/sso/sso.ts";
import type { Ctx } from "#server/core/http.ts";
import { badFields, type ProblemCode } from "#server/core/problem.ts";
import { seal } from "#server/core/secrets.ts";
import { emailDomain } from "#shared/companies.ts";
import type { SsoInput } from "#shared/sso.ts";
import type { User } from "#shared/users.ts";

type FieldErrors = Record<string, ProblemCode>;

/** The columns of a connection from what an admin entered; otherwise every fault at once, by field. `kept` is the stored secret. */
export async function validateSso(ctx: Ctx<User>, companyId: string, input: SsoInput, kept: string | null) {
  const faults: FieldErrors = {};
  const values =
    input.kind === "oidc" ? await oidcValues(ctx, companyId, input, kept, faults) : samlValues(ctx, input, faults);
  const read = input.domains.map((domain) => emailDomain.safeParse(domain));
  if (read.length === 0) faults.domains = "sso.domainsMissing";
  if (read.some(({ success }) => !success)) faults.domains = "companies.badDomain";
  if (Object.keys(faults).length > 0) throw badFields(faults);
  return { ...values, domains: [...new Set(read.flatMap(({ data }) => data ?? []))] };
}

/** Addresses of providers: HTTPS, without a user name; plain HTTP only from a server on this machine to one on this machine. */
function parseProviderUrl({ config }: Ctx<User>, text: string) {
  const url = URL.parse(text);
  const fine =
    url &&
    !url.username &&
    !url.password &&
    !url.hash &&
    (url.protocol === "https:" || (isLoopback(url) && isLoopback(new URL(config.publicUrl))));
  return fine ? url : null;
}

async function oidcValues(
  ctx: Ctx<User>,
  companyId: string,
  input: SsoInput,
  kept: string | null,
  faults: FieldErrors,
) {
  const url = parseProviderUrl(ctx, input.issuer);
  if (!input.issuer) faults.issuer = "sso.issuerMissing";
  else if (!url) faults.issuer = "sso.badAddress";
  else if (!(await isDiscoverable(ctx, url, input.clientId))) faults.issuer = "sso.discoveryFailed";
  if (!input.clientId) faults.clientId = "sso.clientIdMissing";
  if (!input.clientSecret && !kept) faults.clientSecret = "sso.clientSecretMissing";
  const clientSecret = input.clientSecret
    ? seal(ctx.config.secret, SSO_SECRET_PURPOSE, input.clientSecret, companyId)
    : kept;
  return { issuer: input.issuer, clientId: input.clientId, clientSecret, entryPoint: "", certificates: [] as string[] };
}

/** Whether a provider describes itself at this address, so that a slip shows at once. */
const isDiscoverable = (ctx: Ctx<User>, url: URL, clientId: string) =>
  discovery(url, clientId || "nobody", "only a look", ClientSecretPost("only a look"), {
    timeout: 10,
    execute: isLoopback(url) ? [allowInsecureRequests] : [],
  }).then(
    () => true,
    (error: unknown) => {
      ctx.log.info({ err: error }, "the provider did not answer");
      return false;
    },
  );

function samlValues(ctx: Ctx<User>, input: SsoInput, faults: FieldErrors) {
  if (!input.issuer) faults.issuer = "sso.entityIdMissing";
  if (!input.entryPoint) faults.entryPoint = "sso.entryPointMissing";
  else if (!parseProviderUrl(ctx, input.entryPoint)) faults.entryPoint = "sso.badAddress";
  const certificates = parseCertificates(input.certificate);
  if (!input.certificate) faults.certificate = "sso.certificateMissing";
  else if (!certificates) faults.certificate = "sso.badCertificate";
  return {
    issuer: input.issuer,
    clientId: "",
    clientSecret: null,
    entryPoint: input.entryPoint,
    certificates: certificates ?? [],
  };
}

/** At most five certificates as PEM, also from one without its lines; null when one of them is none. */
function parseCertificates(text: string) {
  const found = text.match(/-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----/g) ?? [
    `-----BEGIN CERTIFICATE-----\n${text.replace(/\s/g, "")}\n-----END CERTIFICATE-----`,
  ];
  try {
    return found.slice(0, 5).map((pem) => new X509Certificate(pem).toString().trim());
  } catch {
    return null;
  }
}

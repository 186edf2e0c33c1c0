import { randomUUID } from "node:crypto";
import { generateServiceProviderMetadata, SAML, ValidateInResponseTo } from "@node-saml/node-saml";
import { sql } from "kysely";
import type { OauthFlow } from "#server/auth/sso/oauthFlow.ts";
import type { Identity } from "#server/auth/sso/google.ts";
import { type Connection, getActiveConnection } from "#server/auth/sso/ssoDomains.ts";
import type { Config } from "#server/core/config.ts";
import { hashToken } from "#server/core/secrets.ts";
import type { Services } from "#server/core/services.ts";
import { email as emailShape } from "#shared/core/users.ts";

const FLOW_MS = 600_000;
const CLOCK_SKEW_MS = 60_000;
/** Maximum length of a response: usually a few thousand characters, with many groups some ten thousand. */
const RESPONSE_CHARS = 400_000;

export const acsUrl = (config: Config) => `${config.publicUrl}/api/auth/external/saml`;
export const entityId = (config: Config) => `${config.publicUrl}/api/auth/saml/metadata`;

/** Service provider metadata for the administrator of an identity provider. */
export const samlMetadata = (config: Config) =>
  generateServiceProviderMetadata({
    issuer: entityId(config),
    callbackUrl: acsUrl(config),
    wantAssertionsSigned: true,
    identifierFormat: "urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress",
  });

/** The SAML library for one request: only a response to `requestId` is accepted. */
const createSaml = (
  config: Config,
  { entryPoint, certificates, issuer }: Pick<Connection, "entryPoint" | "certificates" | "issuer">,
  requestId: string,
  forceAuthn = false,
) =>
  new SAML({
    forceAuthn,
    callbackUrl: acsUrl(config),
    entryPoint,
    issuer: entityId(config),
    idpCert: certificates,
    idpIssuer: issuer,
    audience: entityId(config),
    wantAssertionsSigned: true,
    wantAuthnResponseSigned: false,
    signatureAlgorithm: "sha256",
    identifierFormat: null,
    disableRequestedAuthnContext: true,
    validateInResponseTo: ValidateInResponseTo.always,
    requestIdExpirationPeriodMs: FLOW_MS,
    acceptedClockSkewMs: CLOCK_SKEW_MS,
    generateUniqueId: () => requestId,
    cacheProvider: {
      saveAsync: async (_, value) => ({ value, createdAt: Date.now() }),
      getAsync: async (key) => (key === requestId ? new Date().toISOString() : null),
      removeAsync: async (key) => key,
    },
  });

/**
 * Login URL (HTTP-Redirect binding). The state is sent as RelayState; the request id stays on the server. `forceLogin`
 * requires a login even if the person is logged in there.
 */
export async function startSaml(
  config: Config,
  connection: Connection,
  state: string,
  forceLogin = false,
): Promise<{ address: string; request: OauthFlow["request"] }> {
  const requestId = `_${randomUUID()}`;
  return {
    address: await createSaml(config, connection, requestId, forceLogin).getAuthorizeUrlAsync(state, undefined, {}),
    request: { requestId },
  };
}

/**
 * Accepts the provider's response, posted by the browser from the provider's page and therefore without our cookies. It
 * is only verified and stored with its flow; the browser that started the flow then continues (providerSignIn.ts). A
 * second response to the same request is ignored.
 */
export async function acceptSaml({ db, config, log }: Services, response: string, state: string): Promise<void> {
  const flow = await db
    .selectFrom("authOauthFlows")
    .where("stateHash", "=", hashToken(state))
    .where("expiresAt", ">", sql<string>`now()`)
    .where("connectionId", "is not", null)
    .where("profile", "is", null)
    .select(["connectionId", "request"])
    .executeTakeFirst();
  if (!flow?.request.requestId) return;
  try {
    const connection = await getActiveConnection(db, flow.connectionId ?? "");
    const identity = await readResponse(config, connection, response, flow.request.requestId);
    await db
      .updateTable("authOauthFlows")
      .set({ profile: JSON.stringify(identity) })
      .where("stateHash", "=", hashToken(state))
      .where("profile", "is", null)
      .execute();
  } catch (error) {
    log.warn({ err: error }, "a SAML response was refused");
  }
}

/** The library verifies signature, audience and times; the rest is checked here, on the signed assertion only. */
async function readResponse(
  config: Config,
  connection: Connection,
  response: string,
  requestId: string,
): Promise<Identity> {
  const xml = Buffer.from(response, "base64").toString("utf8");
  if (response.length > RESPONSE_CHARS || /<!(DOCTYPE|ENTITY)/i.test(xml))
    throw new Error("The response is too large or declares a document type");
  const { profile } = await createSaml(config, connection, requestId).validatePostResponseAsync({
    SAMLResponse: response,
  });
  const assertion = (profile?.getAssertion?.() as { Assertion?: Assertion } | undefined)?.Assertion;
  if (!assertion) throw new Error("The response has no assertion");
  const issuer = assertion.Issuer?.[0]?._;
  if (issuer !== connection.issuer) throw new Error(`Unexpected issuer ${issuer}`);
  const { NameID: [name] = [], SubjectConfirmation: confirmations = [] } = assertion.Subject?.[0] ?? {};
  const isForThisRequest = ({ $: method, SubjectConfirmationData: [data] = [] }: Confirmation) =>
    method?.Method === "urn:oasis:names:tc:SAML:2.0:cm:bearer" &&
    data?.$?.Recipient === acsUrl(config) &&
    data.$.InResponseTo === requestId &&
    Date.parse(data.$.NotOnOrAfter ?? "") > Date.now() - CLOCK_SKEW_MS;
  if (!confirmations.some(isForThisRequest))
    throw new Error("No subject confirmation matches this request and recipient");
  if (!assertion.Conditions?.[0]?.AudienceRestriction) throw new Error("The assertion has no audience");
  const at = Date.parse(assertion.AuthnStatement?.[0]?.$?.AuthnInstant ?? "") / 1000;
  return {
    ...identityOf(
      name?._ ?? "",
      (assertion.AttributeStatement ?? []).flatMap(({ Attribute = [] }) => Attribute),
    ),
    ...(Number.isFinite(at) && { at }),
  };
}

type Text = { _?: string };
type Confirmation = {
  $?: { Method?: string };
  SubjectConfirmationData?: { $?: { Recipient?: string; InResponseTo?: string; NotOnOrAfter?: string } }[];
};
type Attribute = { $?: { Name?: string }; AttributeValue?: Text[] };
type Assertion = {
  Issuer?: Text[];
  Subject?: { NameID?: Text[]; SubjectConfirmation?: Confirmation[] }[];
  Conditions?: { AudienceRestriction?: unknown }[];
  AuthnStatement?: { $?: { AuthnInstant?: string } }[];
  AttributeStatement?: { Attribute?: Attribute[] }[];
};

/** Attribute names that common providers use for email and name. */
const emailAttributes = [
  "email",
  "mail",
  "emailaddress",
  "urn:oid:0.9.2342.19200300.100.1.3",
  "http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress",
];
const nameAttributes = [
  "displayname",
  "name",
  "cn",
  "urn:oid:2.16.840.1.113730.3.1.241",
  "http://schemas.microsoft.com/identity/claims/displayname",
  "http://schemas.xmlsoap.org/ws/2005/05/identity/claims/name",
];

function identityOf(nameId: string, attributes: Attribute[]): Identity {
  const find = (names: string[]) =>
    attributes.find(({ $ }) => names.includes(($?.Name ?? "").toLowerCase()))?.AttributeValue?.[0]?._?.trim();
  const { data: email } = emailShape.safeParse(find(emailAttributes) ?? nameId);
  if (!nameId || !email) throw new Error("The assertion has no email");
  return { subject: nameId, email, verified: true, name: (find(nameAttributes) ?? "").slice(0, 120) };
}

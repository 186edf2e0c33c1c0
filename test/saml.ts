import { inflateRawSync } from "node:zlib";
import * as samlify from "samlify";
import { CERTIFICATE, KEY } from "#test/samlKeys.ts";

export const IDP = "https://idp.norrvik.example/metadata";
export const SSO_ADDRESS = "https://idp.norrvik.example/sso";
const EMAIL_FORMAT = "urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress";

export type Answer = {
  email: string;
  name?: string;
  /** Wrong values, as from a hostile or misconfigured provider. */
  wrong?: Partial<{ audience: string; recipient: string; issuer: string; inResponseTo: string; until: string }>;
  keys?: { key: string; certificate: string };
  signed?: boolean;
  /** Minutes since the login at the provider; null omits the time of login. */
  minutes?: number | null;
};

samlify.setSchemaValidator({ validate: async () => "fine" });

const authentication = (minutes: number) =>
  `<saml:AuthnStatement AuthnInstant="${new Date(Date.now() - minutes * 60_000).toISOString()}"><saml:AuthnContext><saml:AuthnContextClassRef>urn:oasis:names:tc:SAML:2.0:ac:classes:PasswordProtectedTransport</saml:AuthnContextClassRef></saml:AuthnContext></saml:AuthnStatement>`;

/** A SAML identity provider (samlify) that answers and signs requests of our server. */
export function createIdp(acs: string, entityId: string) {
  const sp = samlify.ServiceProvider({
    entityID: entityId,
    wantAssertionsSigned: true,
    nameIDFormat: [EMAIL_FORMAT],
    assertionConsumerService: [{ Binding: "urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST", Location: acs }],
  });
  return {
    /** The form that the browser would post to our server. */
    async answer(
      address: string,
      {
        email,
        name = "Sam Saml",
        wrong = {},
        keys = { key: KEY, certificate: CERTIFICATE },
        signed = true,
        minutes = 0,
      }: Answer,
    ) {
      const query = new URL(address).searchParams;
      const request = inflateRawSync(Buffer.from(query.get("SAMLRequest") ?? "", "base64")).toString();
      const requestId = / ID="([^"]+)"/.exec(request)?.[1] ?? "";
      const idp = samlify.IdentityProvider({
        entityID: wrong.issuer ?? IDP,
        privateKey: keys.key,
        signingCert: keys.certificate,
        nameIDFormat: [EMAIL_FORMAT],
        singleLogoutService: [
          { Binding: "urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect", Location: `${SSO_ADDRESS}/out` },
        ],
        singleSignOnService: [{ Binding: "urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect", Location: SSO_ADDRESS }],
        loginResponseTemplate: {
          context: (samlify.SamlLib.defaultLoginResponseTemplate.context ?? "").replace(
            "{AuthnStatement}",
            minutes === null ? "" : authentication(minutes),
          ),
          attributes: [
            {
              name: "displayName",
              valueTag: "name",
              nameFormat: "urn:oasis:names:tc:SAML:2.0:attrname-format:basic",
              valueXsiType: "xs:string",
            },
          ],
        },
      });
      const now = new Date();
      const later = wrong.until ?? new Date(now.getTime() + 240_000).toISOString();
      const values = {
        ID: `_r${crypto.randomUUID()}`,
        AssertionID: `_a${crypto.randomUUID()}`,
        Issuer: wrong.issuer ?? IDP,
        Destination: acs,
        Audience: wrong.audience ?? entityId,
        SubjectRecipient: wrong.recipient ?? acs,
        InResponseTo: wrong.inResponseTo ?? requestId,
        IssueInstant: now.toISOString(),
        ConditionsNotBefore: new Date(now.getTime() - 5000).toISOString(),
        ConditionsNotOnOrAfter: later,
        SubjectConfirmationDataNotOnOrAfter: later,
        NameIDFormat: EMAIL_FORMAT,
        NameID: email,
        StatusCode: "urn:oasis:names:tc:SAML:2.0:status:Success",
        attrName: name,
      };
      const { context } = await idp.createLoginResponse(
        sp,
        { extract: { request: { id: requestId } } } as never,
        "post",
        { email },
        (template: string) => ({
          id: values.ID,
          context: samlify.SamlLib.replaceTagsByValue(template, values),
        }),
      );
      const xml = Buffer.from(context, "base64").toString();
      const sent = signed ? xml : xml.replace(/<(ds:)?Signature[\s\S]*?<\/(ds:)?Signature>/, "");
      return {
        SAMLResponse: Buffer.from(sent).toString("base64"),
        RelayState: query.get("RelayState") ?? "",
        xml: sent,
      };
    },
  };
}

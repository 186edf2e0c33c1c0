import { randomUUID } from "node:crypto";
import { inflateRawSync } from "node:zlib";
import { afterAll, expect } from "vitest";
import { auth, type ExternalResult } from "#shared/auth/auth.ts";
import { sso, type SsoInput } from "#shared/auth/sso.ts";
import { follow, OIDC_CLIENT, type Persona, startOidc } from "#test/oidc.ts";
import { type Answer, createIdp, IDP, SSO_ADDRESS } from "#test/saml.ts";
import { CERTIFICATE } from "#test/samlKeys.ts";
import { type Person, start } from "#test/start.ts";

export const RETURN_URL = "http://localhost:1/api/auth/external/return";
const ACS = "http://localhost:1/api/auth/external/saml";

/** A server with an OpenID provider and a SAML provider, and functions to sign in with them. */
export async function startSsoServer() {
  const provider = await startOidc(RETURN_URL);
  const server = await start({
    GOOGLE_ISSUER: provider.issuer,
    GOOGLE_CLIENT_ID: OIDC_CLIENT.id,
    GOOGLE_CLIENT_SECRET: OIDC_CLIENT.secret,
  });
  afterAll(() => provider.close());
  const { app, as, make } = server;
  const idp = createIdp(ACS, "http://localhost:1/api/auth/saml/metadata");

  /** Input for an OpenID connection, without domains. */
  const oidcInput = {
    kind: "oidc",
    issuer: provider.issuer,
    clientId: OIDC_CLIENT.id,
    clientSecret: OIDC_CLIENT.secret,
    enforced: false,
    enabled: true,
    version: 0,
  } as const;
  /** Input for a SAML connection, without domains. */
  const samlInput = {
    kind: "saml",
    issuer: IDP,
    entryPoint: SSO_ADDRESS,
    certificate: CERTIFICATE,
    enforced: false,
    enabled: true,
    version: 0,
  } as const;
  const createConnection = async (input: Partial<SsoInput> & Pick<SsoInput, "kind">) => {
    const admin = await make.admin();
    const company = await make.company(admin);
    const domain = `d${randomUUID().slice(0, 8)}.example`;
    const body = { ...(input.kind === "oidc" ? oidcInput : samlInput), domains: [domain], ...input };
    const saved = await as(admin)(sso.save, { params: { id: company.id }, body });
    if (saved.status !== 200) throw new Error(JSON.stringify(saved.body));
    const offer = (await as(null)(auth.sso, { body: { email: `x@${domain}` } })).body;
    return {
      admin,
      company,
      domain,
      connectionId: offer?.connectionId ?? "",
      email: () => `s-${randomUUID().slice(0, 8)}@${domain}`,
    };
  };
  const cookiesOf = (set: unknown) =>
    [set]
      .flat()
      .filter(Boolean)
      .map((line) => String(line).split(";")[0])
      .join("; ");
  const startSignIn = async (connectionId: string, email = "", session?: Person) => {
    const reply = await app.inject({
      method: "POST",
      url: auth.external.path,
      payload: { provider: connectionId, email, ...(session && { purpose: "reauth" }) },
      headers: session ? { authorization: `Bearer ${session.token}` } : {},
    });
    return {
      cookie: cookiesOf(reply.headers["set-cookie"]),
      status: reply.statusCode,
      ...(reply.json() as { address: string; error: string }),
    };
  };
  const finishSignIn = async (url: string, cookie: string) => {
    const { pathname, search } = new URL(url, "http://localhost:1");
    const page = await app.inject({ url: pathname + search, headers: { cookie } });
    const result = JSON.parse(/id="result">(.*?)<\/script>/.exec(page.body)?.[1] ?? "{}") as ExternalResult;
    const set = cookiesOf(page.headers["set-cookie"]);
    const grant = set
      ? (await app.inject({ method: "POST", url: auth.token.path, headers: { cookie: set } })).json()
      : null;
    return { ...result, code: result.problem?.code, me: grant?.user, person: { ...grant, password: "" } as Person };
  };
  const signInByOidc = async (connectionId: string, who: Persona, session?: Person) => {
    provider.next(who);
    const { address, cookie } = await startSignIn(connectionId, "", session);
    expect(new URL(address).searchParams.get("max_age")).toBe(session ? "0" : null);
    return finishSignIn(await follow(address, RETURN_URL), cookie);
  };
  const postResponse = async (form: { SAMLResponse: string; RelayState: string }) => {
    const reply = await app.inject({
      method: "POST",
      url: "/api/auth/external/saml",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      payload: new URLSearchParams({ SAMLResponse: form.SAMLResponse, RelayState: form.RelayState }).toString(),
    });
    expect(reply.statusCode).toBe(303);
    return String(reply.headers.location);
  };
  const signInBySaml = async (connectionId: string, answer: Answer, session?: Person) => {
    const { address, cookie } = await startSignIn(connectionId, "", session);
    expect(
      inflateRawSync(Buffer.from(new URL(address).searchParams.get("SAMLRequest") ?? "", "base64")).includes(
        'ForceAuthn="true"',
      ),
    ).toBe(session !== undefined);
    return finishSignIn(await postResponse(await idp.answer(address, answer)), cookie);
  };
  return {
    ...server,
    provider,
    idp,
    oidcInput,
    samlInput,
    createConnection,
    startSignIn,
    finishSignIn,
    signInByOidc,
    postResponse,
    signInBySaml,
  };
}

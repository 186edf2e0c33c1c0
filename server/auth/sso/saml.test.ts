import { expect, test } from "vitest";
import type { Answer } from "#test/saml.ts";
import { OTHER_CERTIFICATE, OTHER_KEY } from "#test/samlKeys.ts";
import { startSsoServer } from "#test/ssoFixture.ts";

const { idp, createConnection, startSignIn, finishSignIn, postResponse, signInBySaml } = await startSsoServer();

test("does not reauthenticate without a time of login", async () => {
  const { connectionId, email } = await createConnection({ kind: "saml" });
  const who = { email: email(), minutes: null };
  const { person } = await signInBySaml(connectionId, who);
  expect((await signInBySaml(connectionId, who, person)).code).toBe("auth.reauthStale");
});

test("refuses responses that are unsigned, expired or for others", async () => {
  const { connectionId, email } = await createConnection({ kind: "saml" });
  const who = { email: email() };
  const bad: Partial<Answer>[] = [
    { signed: false },
    { keys: { key: OTHER_KEY, certificate: OTHER_CERTIFICATE } },
    { wrong: { audience: "https://somebody.else.example" } },
    { wrong: { recipient: "https://somebody.else.example/acs" } },
    { wrong: { inResponseTo: "_another" } },
    { wrong: { inResponseTo: "" } },
    { wrong: { issuer: "https://somebody.else.example" } },
    { wrong: { until: new Date(Date.now() - 120_000).toISOString() } },
  ];
  for (const one of bad)
    expect([one, (await signInBySaml(connectionId, { ...who, ...one })).code]).toEqual([one, "auth.ssoFailed"]);
  expect((await signInBySaml(connectionId, who)).outcome).toBe("signedIn");
});

test("refuses hostile XML, replays and other browsers", async () => {
  const { connectionId, email, domain } = await createConnection({ kind: "saml" });
  const attempt = async (change: (xml: string) => string) => {
    const { address, cookie } = await startSignIn(connectionId);
    const person = email();
    const { xml, RelayState } = await idp.answer(address, { email: person });
    const { code, me } = await finishSignIn(
      await postResponse({ SAMLResponse: Buffer.from(change(xml)).toString("base64"), RelayState }),
      cookie,
    );
    return code ?? (me.email === person ? "as signed" : `as ${me.email}`);
  };
  const forged = [
    '<saml:Assertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="_f" Version="2.0">',
    `<saml:Subject><saml:NameID>boss@${domain}</saml:NameID></saml:Subject>`,
    "</saml:Assertion>",
  ].join("");
  for (const change of [
    (xml: string) => `<!DOCTYPE r [<!ENTITY e SYSTEM "file:///etc/passwd">]>${xml}`,
    (xml: string) => xml.replace(/>[^<]+@[^<]+</, `>boss@${domain}<`),
    (xml: string) => xml.replace("<saml:Assertion", `${forged}<saml:Assertion`),
    (xml: string) => xml.replace("</samlp:Response>", `${forged}</samlp:Response>`),
    () => "no XML at all",
    () => "",
  ])
    expect([String(change), await attempt(change)]).toEqual([String(change), "auth.ssoFailed"]);
  // A comment does not break the signature, but must not truncate the name.
  expect(await attempt((xml) => xml.replace(/@d/, "<!---->@d"))).toBe("as signed");

  const { address, cookie } = await startSignIn(connectionId);
  const form = await idp.answer(address, { email: email() });
  const back = await postResponse(form);
  expect((await finishSignIn(back, "lyceum.browser=another")).code).toBe("auth.googleFailed");
  expect((await finishSignIn(back, cookie)).outcome).toBe("signedIn");
  expect((await finishSignIn(await postResponse(form), cookie)).outcome).toBeUndefined();
  const later = await startSignIn(connectionId);
  const stale = { ...form, RelayState: new URL(later.address).searchParams.get("RelayState") ?? "" };
  expect((await finishSignIn(await postResponse(stale), later.cookie)).code).toBe("auth.ssoFailed");
});

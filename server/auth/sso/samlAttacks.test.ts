import { expect, test } from "vitest";
import { startSsoServer } from "#test/ssoFixture.ts";

// Published attacks on SAML, each with its name. The provider signs the assertion, as in production.

const { idp, createConnection, startSignIn, finishSignIn, postResponse } = await startSsoServer();
const { connectionId, email, domain } = await createConnection({ kind: "saml" });
const BOSS = `boss@${domain}`;

/** Logs in with a changed response of the provider. Returns the code of the error, or who was logged in. */
async function attempt(change: (xml: string) => string | Buffer, person = email()) {
  const { address, cookie } = await startSignIn(connectionId);
  const { xml, RelayState } = await idp.answer(address, { email: person });
  const SAMLResponse = Buffer.from(change(xml)).toString("base64");
  const { code, me } = await finishSignIn(await postResponse({ SAMLResponse, RelayState }), cookie);
  return code ?? (me.email === person ? "as signed" : `as ${me.email}`);
}

const partOf = (xml: string, pattern: RegExp) => {
  const [part] = pattern.exec(xml) ?? [];
  if (!part) throw new Error(`The response has no ${pattern}`);
  return part;
};
/** The signed assertion, its signature, the assertion without it, and a forged assertion for another person. */
function takeApart(xml: string) {
  const signed = partOf(xml, /<saml:Assertion[\s\S]*<\/saml:Assertion>/);
  const signature = partOf(signed, /<(ds:)?Signature[\s\S]*<\/(ds:)?Signature>/);
  const bare = signed.replace(signature, "");
  const evil = bare.replace(/ ID="[^"]+"/, ' ID="_evil"').replace(/>[^<]+@[^<]+</g, `>${BOSS}<`);
  return { signed, signature, bare, evil };
}
/** Puts an element into another, before its end. */
const within = (outer: string, inner: string) => outer.replace(/<\/[\w:]+>$/, (end) => inner + end);
/** Puts a signature after the issuer of an assertion, as the schema requires. */
const signWith = (assertion: string, signature: string) =>
  assertion.replace("</saml:Issuer>", `</saml:Issuer>${signature}`);
const evilResponse = (xml: string) => {
  const { signed, evil } = takeApart(xml);
  return xml.replace(signed, evil).replace(/ ID="[^"]+"/, ' ID="_evilResponse"');
};

// J. Somorovsky et al., "On Breaking SAML: Be Whoever You Want to Be", USENIX Security 2012
const wrappings: [name: string, change: (xml: string) => string][] = [
  [
    "XSW1: the response inside the signature of a forged one",
    (xml) => within(evilResponse(xml), within(takeApart(xml).signature, `<Object>${xml}</Object>`)),
  ],
  ["XSW2: the response beside a forged assertion", (xml) => within(evilResponse(xml), xml)],
  [
    "XSW3: a forged assertion before the signed one",
    (xml) => xml.replace("<saml:Assertion", `${takeApart(xml).evil}$&`),
  ],
  [
    "XSW4: the signed assertion within a forged one",
    (xml) => xml.replace(takeApart(xml).signed, () => within(takeApart(xml).evil, takeApart(xml).signed)),
  ],
  [
    "XSW5: the signature in a forged assertion, the signed one at the end",
    (xml) => {
      const { signed, signature, bare, evil } = takeApart(xml);
      return within(
        xml.replace(signed, () => signWith(evil, signature)),
        bare,
      );
    },
  ],
  [
    "XSW6: the signed assertion within its signature, in a forged one",
    (xml) => {
      const { signed, signature, bare, evil } = takeApart(xml);
      return xml.replace(signed, () => signWith(evil, within(signature, bare)));
    },
  ],
  [
    "XSW7: a forged assertion in an extension",
    (xml) =>
      xml.replace(
        "<saml:Assertion",
        () => `<samlp:Extensions>${takeApart(xml).evil}</samlp:Extensions><saml:Assertion`,
      ),
  ],
  [
    "XSW8: the signed assertion in an object of the signature, in a forged one",
    (xml) => {
      const { signed, signature, bare, evil } = takeApart(xml);
      return xml.replace(signed, () => signWith(evil, within(signature, `<Object>${bare}</Object>`)));
    },
  ],
  [
    "a forged assertion with the ID of the signed one",
    (xml) => {
      const { evil, bare } = takeApart(xml);
      const id = partOf(bare, / ID="[^"]+"/);
      return xml.replace("<saml:Assertion", () => `${evil.replace(' ID="_evil"', id)}<saml:Assertion`);
    },
  ],
];
test.each(wrappings)("signature wrapping, %s", async (_, change) => {
  expect(["auth.ssoFailed", "as signed"]).toContain(await attempt(change));
});

test("a comment in the name does not truncate it", async () => {
  const cut = (xml: string) => {
    expect(xml).toContain(`>${BOSS}.evil.example<`);
    return xml.replaceAll(`${domain}.evil.example<`, `${domain}<!---->.evil.example<`);
  };
  expect(await attempt(cut, `${BOSS}.evil.example`)).not.toBe(`as ${BOSS}`);
});

test("a processing instruction or CDATA in the name does not truncate it", async () => {
  for (const middle of ["<?x y?>", "<![CDATA[]]>"]) {
    const cut = (xml: string) => xml.replaceAll(`${domain}.evil.example<`, `${domain}${middle}.evil.example<`);
    expect(await attempt(cut, `${BOSS}.evil.example`)).not.toBe(`as ${BOSS}`);
  }
});

test("entities are not expanded, in any encoding of the document", async () => {
  const before = (name: string) => String.fromCharCode(name.charCodeAt(0) - 1);
  const entities = "bcdefgh".replace(/./g, (name) => `<!ENTITY ${name} "${`&${before(name)};`.repeat(10)}">`);
  const bomb = `<!DOCTYPE r [<!ENTITY a "aaaaaaaaaa">${entities}]>`;
  const documents: ((xml: string) => string | Buffer)[] = [
    (xml) => bomb + xml.replace(">Sam Saml<", ">&h;<"),
    (xml) => Buffer.from(`\ufeff${bomb}${xml}`, "utf16le"),
    (xml) => `<?xml version="1.0" encoding="UTF-7"?>${bomb.replaceAll("<", "+ADw-")}${xml}`,
  ];
  for (const change of documents) {
    const start = performance.now();
    expect(await attempt(change)).toBe("auth.ssoFailed");
    expect(performance.now() - start).toBeLessThan(5000);
  }
});

test("an assertion is valid for one login only, also with the state of another request", async () => {
  const person = email();
  const first = await startSignIn(connectionId);
  const form = await idp.answer(first.address, { email: person });
  expect((await finishSignIn(await postResponse(form), first.cookie)).me?.email).toBe(person);
  expect((await finishSignIn(await postResponse(form), first.cookie)).me).toBeUndefined();
  const second = await startSignIn(connectionId);
  const RelayState = new URL(second.address).searchParams.get("RelayState") as string;
  expect((await finishSignIn(await postResponse({ ...form, RelayState }), second.cookie)).code).toBe("auth.ssoFailed");
});

test("an assertion for another service of the same provider is refused", async () => {
  const wrong = { audience: "https://wiki.example/metadata" };
  const { address, cookie } = await startSignIn(connectionId);
  const form = await idp.answer(address, { email: email(), wrong });
  expect((await finishSignIn(await postResponse(form), cookie)).code).toBe("auth.ssoFailed");
});

test("a connection does not log in people from the domain of another company", async () => {
  const other = await createConnection({ kind: "saml", issuer: "https://other.example/metadata" });
  expect(await attempt((xml) => xml, other.email())).toBe("auth.ssoWrongDomain");
});

import { createHash } from "node:crypto";
import { decodeJwt } from "jose";
import { expect, test } from "vitest";
import { createBadger, type Subject } from "#test/badges.ts";
import { verifyBadge } from "#test/badgeVerifier.ts";
import { createCertifier } from "#test/certificates.ts";
import { addNumbered, allowPins, signInNumbered } from "#test/numbered.ts";
import { start } from "#test/start.ts";

// What badges say about their holders, and when they are made again

const server = await start();
const { db, services } = server;
const { school, holder } = createCertifier(server);
const { fetchPublic, tokenOf } = createBadger(server);

test("after a move to another address a badge is made again, in the same position", async () => {
  const of = await school();
  const { person, certificate } = await holder(of);
  const positionOf = (token: string) => decodeJwt<{ credentialStatus: { id: string } }>(token).credentialStatus.id;
  const before = await tokenOf(person, certificate.id);
  const { publicUrl } = services.config;
  Object.assign(services.config, { publicUrl: "https://academy.example:8443" });
  const after = await tokenOf(person, certificate.id);
  const { credential, isRevoked } = await verifyBadge(after, (url) => {
    expect(url).toMatch(/^https?:\/\/academy\.example:8443\/api\/issuers\//);
    return fetchPublic(url.replace(/^http:/, "https:"));
  });
  Object.assign(services.config, { publicUrl });
  expect([isRevoked, credential.evidence]).toEqual([
    false,
    [expect.objectContaining({ id: `https://academy.example:8443/verify/${certificate.number}` })],
  ]);
  expect(positionOf(after).split("#")[1]).toBe(positionOf(before).split("#")[1]);
});

test("a badge is made again after a change of the scheme, and when its key was deleted", async () => {
  const of = await school();
  const { person, certificate } = await holder(of);
  const before = await tokenOf(person, certificate.id);
  const { publicUrl } = services.config;
  Object.assign(services.config, { publicUrl: publicUrl.replace("http:", "https:") });
  const { iss, evidence, credentialStatus } = decodeJwt<{
    evidence: { id: string }[];
    credentialStatus: { statusListCredential: string };
  }>(await tokenOf(person, certificate.id));
  Object.assign(services.config, { publicUrl });
  expect(iss).toBe(decodeJwt(before).iss);
  expect([evidence[0]?.id, credentialStatus.statusListCredential]).toEqual([
    expect.stringMatching(/^https:/),
    expect.stringMatching(/^https:/),
  ]);
  await db.deleteFrom("badgeKeys").execute();
  const after = await tokenOf(person, certificate.id);
  expect((await verifyBadge(after, fetchPublic)).isRevoked).toBe(false);
  await expect(verifyBadge(before, fetchPublic)).rejects.toThrow(/no key/);
});

test("a badge is made again when its holder has another verified address", async () => {
  const of = await school();
  const { person, certificate } = await holder(of);
  const set = (email: string, emailVerified: boolean) =>
    db.updateTable("users").set({ email, emailVerified }).where("id", "=", person.user.id).execute();
  const email = person.user.email as string;
  await set(email, false);
  const first = await tokenOf(person, certificate.id);
  await set(email, true);
  const second = await tokenOf(person, certificate.id);
  expect(second).not.toBe(first);
  expect(await tokenOf(person, certificate.id)).toBe(second);
  await set(`new-${email}`, false);
  expect(await tokenOf(person, certificate.id)).toBe(second);
  await set(`new-${email}`, true);
  const third = (await verifyBadge(await tokenOf(person, certificate.id), fetchPublic)).credential;
  const { identityHash, salt } = (third.credentialSubject as Subject).identifier[1]!;
  expect(identityHash).toBe(`sha256$${createHash("sha256").update(`new-${email}${salt}`).digest("hex")}`);
});

test("a person whose name is an address has it in the badge as a hash only", async () => {
  const of = await school();
  const { person, certificate } = await holder(of, "Anna.Berg@firm.example");
  const { credential } = await verifyBadge(await tokenOf(person, certificate.id), fetchPublic);
  const { identifier } = credential.credentialSubject as Subject;
  const { identityHash, salt } = identifier[0]!;
  expect(identityHash).toBe(`sha256$${createHash("sha256").update(`anna.berg@firm.example${salt}`).digest("hex")}`);
  expect(JSON.stringify(credential)).not.toMatch(/anna/i);
});

test("an address that was not verified is not in the badge", async () => {
  const of = await school();
  const { person, certificate } = await holder(of);
  await db.updateTable("users").set({ emailVerified: false }).where("id", "=", person.user.id).execute();
  const { credential } = await verifyBadge(await tokenOf(person, certificate.id), fetchPublic);
  const { identifier } = credential.credentialSubject as Subject;
  expect(identifier.map(({ identityType }) => identityType)).toEqual(["name"]);
});

test("people without an address get a badge with their name only", async () => {
  const of = await school();
  const company = await allowPins(server, of.admin, of.company);
  const numbered = await addNumbered(server, of.admin, company, "B-1", "Bo Numbered");
  const session = await signInNumbered(server, numbered);
  const { complete, newest } = createCertifier(server);
  await complete({ company, course: of.course } as never, session as never);
  const certificate = await newest(session as never);
  const { credential } = await verifyBadge(await tokenOf(session as never, certificate!.id), fetchPublic);
  const { identifier } = credential.credentialSubject as Subject;
  expect(identifier.map(({ identityType }) => identityType)).toEqual(["name"]);
});

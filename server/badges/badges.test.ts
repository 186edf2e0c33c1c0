import { createHash } from "node:crypto";
import { decodeJwt } from "jose";
import { PNG } from "pngjs";
import { expect, test } from "vitest";
import { createBadger, type Subject } from "#test/badges.ts";
import { addressOfDid, textInPng, verifyBadge, verifyToken } from "#test/badgeVerifier.ts";
import { createCertifier } from "#test/certificates.ts";
import { dumpText } from "#test/dump.ts";
import { bodyOf } from "#test/probes.ts";
import { start } from "#test/start.ts";
import { LIST_BITS } from "#server/badges/statusList.ts";
import { didOf } from "#server/badges/issuers.ts";
import { badges } from "#shared/badges/badges.ts";
import { certificates } from "#shared/certificates/certificates.ts";
import { learners } from "#shared/learners/learners.ts";
import { privacy } from "#shared/privacy/privacy.ts";
import type { ErasurePolicy } from "#shared/privacy/privacy.ts";

// Open Badges 3.0 of certificates, checked by implementations of others (test/badgeVerifier.ts)

const server = await start();
const { app, as, db, services } = server;
const { school, holder } = createCertifier(server);
const { fetchPublic, download, tokenOf } = createBadger(server);

type Holder = Awaited<ReturnType<typeof holder>>;

test("a badge is a picture whose credential others verify and understand", async () => {
  const of = await school({ timezone: "Pacific/Kiritimati", color: "#b3261e" }, { months: 6 });
  const { person, certificate } = await holder(of, "Łucja Ørsted 阮");
  await db.updateTable("users").set({ emailVerified: true }).where("id", "=", person.user.id).execute();
  const { statusCode, headers, rawPayload } = await download(person, certificate.id);
  expect([statusCode, headers["content-type"], headers["content-disposition"]]).toEqual([
    200,
    "image/png",
    `attachment; filename="${certificate.number}.badge.png"`,
  ]);
  const picture = PNG.sync.read(rawPayload);
  expect([picture.width, picture.height]).toEqual([400, 400]);
  const pixelAt = (x: number, y: number) => [...picture.data.subarray((y * 400 + x) * 4, (y * 400 + x) * 4 + 4)];
  expect(pixelAt(2, 2)[3]).toBe(0);
  // The field, a pillar of the arch, and its opening.
  expect(pixelAt(200, 30)).toEqual([0xb3, 0x26, 0x1e, 255]);
  expect(pixelAt(115, 310)).toEqual([255, 255, 255, 255]);
  expect(pixelAt(200, 310)).toEqual([0xb3, 0x26, 0x1e, 255]);
  const token = textInPng(rawPayload, "openbadgecredential");
  expect(await tokenOf(person, certificate.id)).toBe(token);
  const { credential, expanded, isRevoked } = await verifyBadge(token, fetchPublic);
  expect(isRevoked).toBe(false);
  expect(expanded["@type"]).toEqual([
    "https://www.w3.org/2018/credentials#VerifiableCredential",
    "https://purl.imsglobal.org/spec/vc/ob/vocab.html#OpenBadgeCredential",
  ]);
  expect(credential).toMatchObject({
    id: `urn:uuid:${certificate.id}`,
    name: "Test course",
    issuer: { id: didOf(services.config, of.company.id), type: ["Profile"], name: "Norrvik Energi" },
    evidence: [{ id: `${services.config.publicUrl}/verify/${certificate.number}` }],
    // The days of the company begin fourteen hours before those of UTC.
    awardedDate: new Date(Date.parse(`${certificate.completedOn}T00:00:00+14:00`)).toISOString().replace(".000", ""),
    validUntil: new Date(Date.parse(`${certificate.validUntil}T24:00:00+14:00`)).toISOString().replace(".000", ""),
  });
  const { identifier, achievement } = credential.credentialSubject as Subject;
  expect(achievement).toMatchObject({ name: "Test course", achievementType: "Course", version: "1" });
  expect(identifier[0]).toMatchObject({ identityType: "name", hashed: false, identityHash: "Łucja Ørsted 阮" });
  const { identityHash, salt } = identifier[1]!;
  const hash = createHash("sha256").update(`${person.user.email}${salt}`).digest("hex");
  expect([identityHash, JSON.stringify(credential).includes(person.user.email as string)]).toEqual([
    `sha256$${hash}`,
    false,
  ]);
});

test("a changed, foreign or expired badge is not accepted", async () => {
  const of = await school();
  const { person, certificate } = await holder(of, "Mia Marked");
  const token = await tokenOf(person, certificate.id);
  const [head, payload, signature] = token.split(".") as [string, string, string];
  const text = Buffer.from(payload, "base64url").toString().replace("Mia Marked", "Mia Forger");
  const changed = [head, Buffer.from(text).toString("base64url"), signature].join(".");
  await expect(verifyBadge(changed, fetchPublic)).rejects.toThrow(/signature/);
  const inTwoYears = new Date(Date.now() + 2 * 366 * 86_400_000);
  await expect(verifyBadge(token, fetchPublic, inTwoYears)).rejects.toThrow(/after "validUntil"/);
  const other = await school();
  await expect(fetchPublic(addressOfDid(didOf(services.config, other.company.id), "http"))).rejects.toThrow();
});

test("the same badge is given to everyone who asks at the same time, never another", async () => {
  const of = await school();
  const { person, certificate } = await holder(of);
  // As after a change of the secret, when the first calls need a new key.
  await db.deleteFrom("badgeKeys").execute();
  const files = await Promise.all(Array.from({ length: 8 }, () => tokenOf(person, certificate.id)));
  expect(await db.selectFrom("badgeKeys").select("id").execute()).toHaveLength(1);
  expect(new Set(files).size).toBe(1);
  const rows = await db.selectFrom("badges").where("certificateId", "=", certificate.id).select("list").execute();
  expect(rows).toEqual([{ list: 0 }]);
  const list = await db.selectFrom("badgeLists").where("companyId", "=", of.company.id).select("size").execute();
  expect(list).toEqual([{ size: 1 }]);
});

test("a revoked or replaced certificate revokes its badge; a new one is given", async () => {
  const of = await school();
  const [kept, revoked, renamed] = [await holder(of, "Kim"), await holder(of, "Rex"), await holder(of, "Nora Old")];
  const tokens = await Promise.all([kept, revoked, renamed].map((one) => tokenOf(one.person, one.certificate.id)));
  const states = async () =>
    Promise.all(tokens.map(async (token) => (await verifyBadge(token, fetchPublic)).isRevoked));
  expect(await states()).toEqual([false, false, false]);
  const boss = as(of.admin);
  await boss(certificates.revoke, { params: { id: revoked.certificate.id }, body: { reason: "Copied answers" } });
  const { version } = bodyOf(await boss(learners.get, { params: { id: renamed.person.user.id } }));
  await boss(learners.update, { params: { id: renamed.person.user.id }, body: { name: "Nora New", version } });
  const again = bodyOf(await boss(certificates.reissue, { params: { id: renamed.certificate.id } }));
  expect(await states()).toEqual([false, true, true]);
  const refused = await download(revoked.person, revoked.certificate.id);
  expect([refused.statusCode, refused.json().error, refused.json().code]).toEqual([
    409,
    expect.any(String),
    "certificates.notValid",
  ]);
  expect((await download(renamed.person, renamed.certificate.id)).statusCode).toBe(409);
  const { credential, isRevoked } = await verifyBadge(await tokenOf(renamed.person, again.id), fetchPublic);
  expect([isRevoked, JSON.stringify(credential)]).toEqual([false, expect.stringContaining("Nora New")]);
});

test("a full list is followed by a new one, and a list does not tell its size", async () => {
  const of = await school();
  const [one, two] = [await holder(of), await holder(of)];
  await tokenOf(one.person, one.certificate.id);
  await db
    .updateTable("badgeLists")
    .set({ size: LIST_BITS / 2 })
    .where("companyId", "=", of.company.id)
    .execute();
  const { credential } = await verifyBadge(await tokenOf(two.person, two.certificate.id), fetchPublic);
  const { statusListCredential } = credential.credentialStatus as { statusListCredential: string };
  expect(statusListCredential).toMatch(/\/status\/1$/);
  const status = await verifyToken(await fetchPublic(statusListCredential), fetchPublic);
  const { encodedList } = status.credentialSubject as { encodedList: string };
  // A list of revoked badges says nothing about how many there are.
  expect(encodedList.length).toBeLessThan(200);
  const beyond = statusListCredential.replace(/1$/, "2");
  expect((await app.inject({ url: new URL(beyond).pathname })).statusCode).toBe(404);
});

test("the clock of a verifier may be some minutes late", async () => {
  const of = await school();
  const { person, certificate } = await holder(of);
  const { credential } = await verifyBadge(await tokenOf(person, certificate.id), fetchPublic);
  const { statusListCredential } = credential.credentialStatus as { statusListCredential: string };
  const { nbf = Infinity } = decodeJwt(await fetchPublic(statusListCredential));
  expect(nbf).toBeLessThan(Date.now() / 1000 - 60);
});

test("the sun of a badge is seen on every colour", async () => {
  const of = await school({ color: "#f2b134" });
  const { person, certificate } = await holder(of);
  const { data } = PNG.sync.read((await download(person, certificate.id)).rawPayload);
  const pixelAt = (x: number, y: number) => [...data.subarray((y * 400 + x) * 4, (y * 400 + x) * 4 + 3)];
  expect(pixelAt(200, 196)).not.toEqual(pixelAt(200, 300));
});

test("only holders and admins of their company get a badge", async () => {
  const of = await school();
  const { person, certificate } = await holder(of);
  const colleague = (await holder(of)).person;
  const stranger = (await holder(await school())).person;
  expect((await download(colleague, certificate.id)).statusCode).toBe(404);
  expect((await download(stranger, certificate.id)).statusCode).toBe(404);
  expect((await app.inject({ url: badges.get.path.replace(":id", certificate.id) })).statusCode).toBe(401);
  expect((await download(of.admin, certificate.id)).statusCode).toBe(200);
  const rows = await db
    .selectFrom("auditEntries")
    .where("action", "=", "certificates.export")
    .where("companyId", "=", of.company.id)
    .select("details")
    .execute();
  expect(rows).toEqual([{ details: { format: "badge" } }]);
  expect((await download(person, certificate.id)).statusCode).toBe(200);
});

test.each<[ErasurePolicy]>([["delete"], ["anonymise"], ["retain"]])(
  "after an erasure (%s) the badge is gone, and says to others what it said before",
  async (erasurePolicy) => {
    const of = await school({ erasurePolicy, retentionYears: 3 });
    const people = [];
    for (const name of ["Vera", "Ruth", "Nora"]) people.push(await holder(of, `${name} ${erasurePolicy}`));
    const [, revoked, renamed] = people as [Holder, Holder, Holder];
    const tokens = await Promise.all(people.map((one) => tokenOf(one.person, one.certificate.id)));
    await as(of.admin)(certificates.revoke, {
      params: { id: revoked.certificate.id },
      body: { reason: "Copied answers" },
    });
    const { id } = renamed.person.user;
    const { version } = bodyOf(await as(of.admin)(learners.get, { params: { id } }));
    await as(of.admin)(learners.update, { params: { id }, body: { name: `New ${erasurePolicy}`, version } });
    bodyOf(await as(of.admin)(certificates.reissue, { params: { id: renamed.certificate.id } }));
    // The newer certificate is now stored first, and deleted first.
    await db
      .updateTable("certificates")
      .set({ name: `Nora ${erasurePolicy}` })
      .where("id", "=", renamed.certificate.id)
      .execute();
    for (const { person } of people) {
      const preview = bodyOf(await as(person)(privacy.preview));
      expect(preview.holdings).toContainEqual(expect.objectContaining({ key: "badges", rows: 1 }));
      expect((await as(person)(privacy.erase, { body: {} })).status).toBe(200);
    }
    const dump = await dumpText(services);
    for (const token of tokens) expect(dump.includes(token.split(".")[1] as string)).toBe(false);
    const states = await Promise.all(tokens.map(async (token) => (await verifyBadge(token, fetchPublic)).isRevoked));
    expect(states).toEqual([false, true, true]);
  },
);

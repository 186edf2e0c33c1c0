import { sql } from "kysely";
import { expect, test } from "vitest";
import { deleteRetained } from "#server/certificates/jobs.ts";
import { checkProof } from "#server/certificates/proofs/checkProof.ts";
import { checkTrees } from "#server/certificates/proofs/checkTrees.ts";
import { createCertifier } from "#test/certificates.ts";
import { dumpText } from "#test/dump.ts";
import { bodyOf } from "#test/probes.ts";
import { type Person, start } from "#test/start.ts";
import { certificates } from "#shared/certificates/certificates.ts";
import { companies } from "#shared/companies/companies.ts";
import { privacy } from "#shared/privacy/privacy.ts";
import type { ErasurePolicy } from "#shared/privacy/privacy.ts";
import type { ProofFile } from "#shared/certificates/proof.ts";

// What an erasure leaves of a certificate, for each choice of the company, by a dump of all tables

const server = await start();
const { as, db, services } = server;
const { school, holder } = createCertifier(server);

async function eraseHolder(erasurePolicy: ErasurePolicy, name: string) {
  const of = await school({ erasurePolicy, retentionYears: 3 });
  const other = await holder(of, "Somebody Else");
  const { person, certificate } = await holder(of, name);
  const proof = bodyOf(
    await as(person)(certificates.proof, { params: { id: certificate.id } }),
  ) as unknown as ProofFile;
  const stored = await db
    .selectFrom("certificates")
    .where("id", "=", certificate.id)
    .select("salt")
    .executeTakeFirstOrThrow();
  const preview = bodyOf(await as(person)(privacy.preview));
  const { status } = await as(person)(privacy.erase, { body: {} });
  expect(status).toBe(200);
  const page = (await as(null)(certificates.verify, { params: { number: certificate.number } })).body;
  return { of, other, person, certificate, proof, salt: stored.salt?.toString("hex") as string, preview, page };
}
const isDumped = async (text: string) => (await dumpText(services)).includes(text);
const isGone = async ({ name, id }: { name: string; id: string }) => {
  const dump = await dumpText(services);
  return !dump.includes(name) && !dump.includes(id);
};
async function expectValidTree(of: { admin: Person }, other: Awaited<ReturnType<typeof holder>>) {
  expect((await checkTrees(db)).problems).toEqual([]);
  const path = { params: { id: other.certificate.id } };
  const proof = bodyOf(await as(of.admin)(certificates.proof, path)) as unknown as ProofFile;
  expect(checkProof(proof).problems).toEqual([]);
}

test("delete: page, facts and salt go, an opaque leaf stays", async () => {
  const { of, other, person, certificate, proof, salt, preview, page } = await eraseHolder("delete", "Delia Delete");
  expect(preview.holdings).toContainEqual(expect.objectContaining({ key: "certificates.deleted", rows: 1 }));
  expect(page).toBe(null);
  expect(await isGone({ name: "Delia Delete", id: person.user.id })).toBe(true);
  for (const trace of [certificate.number, certificate.id, salt, proof.facts.holder])
    expect(await isDumped(trace)).toBe(false);
  await expectValidTree(of, other);
  // Nobody needs us to believe what they hold.
  expect(checkProof(proof).problems).toEqual([]);
});

test("keep without name: the page says so, and the salt is destroyed", async () => {
  const { of, other, person, certificate, proof, salt, page } = await eraseHolder("anonymise", "Anna Anonym");
  expect(page).toMatchObject({
    number: certificate.number,
    state: "valid",
    course: "Test course",
    name: null,
    scorePercent: null,
    namelessSince: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
    keepUntil: null,
    holder: proof.facts.holder,
  });
  expect(await isGone({ name: "Anna Anonym", id: person.user.id })).toBe(true);
  expect(await isDumped(salt)).toBe(false);
  expect((await as(of.admin)(certificates.pdf, { params: { id: certificate.id } })).status).toBe(404);
  await expectValidTree(of, other);
});

test("keep for years: without the name, with the ground, deleted afterwards", async () => {
  const { of, other, person, certificate, salt, page } = await eraseHolder("retain", "Rita Retain");
  const year = new Date().getUTCFullYear() + 3;
  expect(page).toMatchObject({
    state: "valid",
    name: null,
    keepUntil: expect.stringContaining(String(year)),
    keepGround: "GDPR Art. 17(3)(b), (e)",
  });
  expect(await isGone({ name: "Rita Retain", id: person.user.id })).toBe(true);
  expect(await isDumped(salt)).toBe(true);
  await deleteRetained.run(services, {});
  expect(await isDumped(certificate.number)).toBe(true);
  await db.transaction().execute(async (tx) => {
    await sql`select set_config('lyceum.rewrite', 'allowed', true)`.execute(tx);
    await tx.updateTable("certificates").set({ keepUntil: "2020-01-01" }).where("id", "=", certificate.id).execute();
  });
  await deleteRetained.run(services, {});
  for (const trace of [certificate.number, salt]) expect(await isDumped(trace)).toBe(false);
  await expectValidTree(of, other);
});

test("an export contains the certificates of the person, without the salt", async () => {
  const of = await school();
  const { person, certificate } = await holder(of, "Eva Export");
  const document = JSON.stringify((await as(person)(privacy.export)).body);
  expect(document).toContain(certificate.number);
  expect(document).not.toContain('"salt"');
  expect(bodyOf(await as(of.admin)(companies.get, { params: { id: of.company.id } })).name).toBe("Norrvik Energi");
});

import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { checkProof } from "#server/certificates/proofs/checkProof.ts";
import { checkTrees } from "#server/certificates/proofs/checkTrees.ts";
import { sha256 } from "#server/certificates/proofs/sha256.ts";
import { growTree, peaksOf, rootOf } from "#server/certificates/proofs/tree.ts";
import { createCertifier } from "#test/certificates.ts";
import { bodyOf } from "#test/probes.ts";
import { type Person, start } from "#test/start.ts";
import { certificates } from "#shared/certificates/certificates.ts";
import { fromHex, nodeOf, type ProofFile, toHex } from "#shared/certificates/proof.ts";

// Proofs: a path to a signed root, a program that checks it, and a tree in which every change is found

const server = await start();
const { as, db } = server;
const { school, holder } = createCertifier(server);
const run = promisify(execFile);

const proofOf = async (person: Person, id: string) =>
  bodyOf(await as(person)(certificates.proof, { params: { id } })) as unknown as ProofFile;
/** Runs the program as an auditor does. */
async function verifyFile(proof: unknown, ...options: string[]) {
  const file = join(mkdtempSync(join(tmpdir(), "lyceum-proof-")), "proof.json");
  writeFileSync(file, JSON.stringify(proof));
  return run(process.execPath, ["scripts/verify-proof.ts", file, ...options]).then(
    ({ stdout }) => ({ code: 0, stdout }),
    ({ code, stdout }: { code: number; stdout: string }) => ({ code, stdout }),
  );
}

test("a tree that grows in steps has the root of RFC 6962's shape", () => {
  const leaves = Array.from({ length: 41 }, () => sha256(randomBytes(8)));
  const recursive = (of: Uint8Array[]): Uint8Array => {
    if (of.length === 1) return of[0] as Uint8Array;
    const split = 2 ** Math.ceil(Math.log2(of.length) - 1);
    return nodeOf(sha256, recursive(of.slice(0, split)), recursive(of.slice(split)));
  };
  for (const step of [1, 3, 7]) {
    const known = new Map<string, Uint8Array>();
    for (let size = 0; size < leaves.length; size += step) {
      growTree(known, size, leaves.slice(size, size + step));
      const now = Math.min(size + step, leaves.length);
      const root = rootOf(peaksOf(now).map(({ level, position }) => known.get(`${level}/${position}`) as Uint8Array));
      expect(toHex(root)).toBe(toHex(recursive(leaves.slice(0, now))));
    }
  }
});

test("every certificate of an issuer has a proof that the program accepts", { timeout: 120_000 }, async () => {
  const of = await school();
  const holders = [];
  for (let n = 0; n < 9; n++) holders.push(await holder(of, `Learner ${n}`));
  for (const [n, { person, certificate }] of holders.entries()) {
    const proof = await proofOf(person, certificate.id);
    expect(checkProof(proof).problems).toEqual([]);
    expect(proof.disclosed.holder?.value).toBe(`Learner ${n}`);
    // Its own path only: no position, no number of leaves, no time.
    expect(Object.keys(proof).toSorted()).toEqual(["disclosed", "facts", "format", "head", "path", "publicKey"]);
    expect(JSON.stringify(proof)).not.toMatch(/position|size|T\d\d:/);
  }
  const [{ person, certificate }] = holders as [(typeof holders)[number]];
  const proof = await proofOf(person, certificate.id);
  const accepted = await verifyFile(proof, "--key", proof.publicKey);
  expect([accepted.code, accepted.stdout]).toEqual([0, expect.stringContaining("Unchanged since issue.")]);
  const changes: [string, Partial<ProofFile>][] = [
    ["the facts are not those in the signed tree", { facts: { ...proof.facts, title: "Brain surgery" } }],
    ["the facts are not those in the signed tree", { path: proof.path.with(0, toHex(randomBytes(32))) }],
    ["the signature is not valid", { head: { ...proof.head, day: "2020-01-01" } }],
    [
      "the name is not the sealed one",
      { disclosed: { holder: { ...(proof.disclosed.holder as { key: string }), value: "Somebody Else" } } },
    ],
    ["the file is not a proof of Lyceum", { format: "other" as never }],
  ];
  for (const [problem, change] of changes) expect(checkProof({ ...proof, ...change }).problems).toContain(problem);
  const refused = await verifyFile({ ...proof, facts: { ...proof.facts, completedOn: "2020-01-01" } });
  expect([refused.code, refused.stdout]).toEqual([1, expect.stringContaining("does not prove")]);
  expect(checkProof(proof, "another key").problems).toEqual(["the key is not the one that you have given"]);
});

test("a changed, removed or added row of a tree is named", { timeout: 120_000 }, async () => {
  const of = await school();
  const numbers: string[] = [];
  for (let n = 0; n < 5; n++) numbers.push((await holder(of)).certificate.number);
  expect((await checkTrees(db)).problems).toEqual([]);
  const attack = async (statement: string, undo: string) => {
    const unguarded = (text: string) =>
      db.transaction().execute(async (tx) => {
        await sql`set local session_replication_role = replica`.execute(tx);
        await sql.raw(text).execute(tx);
      });
    await unguarded(statement);
    const { problems } = await checkTrees(db);
    await unguarded(undo);
    expect((await checkTrees(db)).problems).toEqual([]);
    return problems.map((problem) => problem.replace(/^issuer \S+: /, "")).join("\n");
  };
  const [first = ""] = numbers;
  const { position } = await db
    .selectFrom("certificates")
    .where("number", "=", first)
    .select("position")
    .executeTakeFirstOrThrow();
  const row = `number = '${first}'`;
  expect(
    await attack(
      `update certificates set facts = facts || '{"course": "Brain surgery"}' where ${row}`,
      `update certificates set facts = facts || '{"course": "Test course"}' where ${row}`,
    ),
  ).toBe(`certificate ${first} was changed: its facts are not those that were sealed`);
  expect(
    await attack(
      `create table taken as select * from certificates where ${row}; delete from certificates where ${row}`,
      `insert into certificates select * from taken; drop table taken`,
    ),
  ).toBe(`the certificate of leaf ${position} was removed, and by no erasure`);
  const added = `company_id = '${of.company.id}' and position = 99`;
  expect(
    await attack(
      `insert into certificates (number, company_id, course_id, design_id, facts, brand, leaf, position, completed_on)
       select 'NE-FAKE-FAKE', company_id, course_id, design_id, facts, brand, leaf, 99, completed_on
       from certificates where ${row}`,
      `delete from certificates where ${added}`,
    ),
  ).toBe("certificate NE-FAKE-FAKE was added: the tree has no such leaf");
  const leaf = `company_id = '${of.company.id}' and level = 0 and position = ${position}`;
  expect(
    await attack(
      `create table taken as select * from certificate_nodes where ${leaf};
       delete from certificate_nodes where ${leaf}`,
      `insert into certificate_nodes select * from taken; drop table taken`,
    ),
  ).toContain(`leaf ${position} was removed from the tree`);
  const head = `company_id = '${of.company.id}'`;
  expect(
    await attack(
      `create table taken as select * from certificate_heads where ${head};
       update certificate_heads set root = '\\x00' where ${head}`,
      `update certificate_heads set root = taken.root from taken where certificate_heads.${head}; drop table taken`,
    ),
  ).toMatch(/the root of \S+ does not fit the leaves\nthe signature of \S+ is not valid/);
});

test("numbers that were never issued are answered alike, and nobody can guess", async () => {
  const of = await school();
  const { certificate } = await holder(of);
  const ask = (number: string) => as(null)(certificates.verify, { params: { number } });
  const unknown = await Promise.all(
    ["NE-AAAA-BBBB", "NE-0000-1111", "x", "%00", "ne", certificate.number.slice(0, -1), "'; --"].map(ask),
  );
  expect(new Set(unknown.map(({ status, body }) => JSON.stringify([status, body])))).toEqual(
    new Set([JSON.stringify([200, null])]),
  );
  const spoken = certificate.number.replaceAll("-", " ").toLowerCase();
  expect((await ask(spoken)).body).toMatchObject({ number: certificate.number, state: "valid", name: null });
  // The number alone opens nothing that is hidden.
  const proof = (await as(null)(certificates.publicProof, { params: { number: certificate.number } }))
    .body as unknown as ProofFile;
  expect([proof.disclosed, checkProof(proof).problems]).toEqual([{}, []]);
  expect((await as(null)(certificates.publicProof, { params: { number: "NE-AAAA-BBBB" } })).status).toBe(404);
});

test("the roots of days that have ended are published with their keys", async () => {
  const of = await school();
  const { person, certificate } = await holder(of);
  const path = { params: { id: of.company.id } };
  expect((await as(null)(certificates.heads, path)).body.heads).toEqual([]);
  await sql`update certificate_heads set day = day - 1 where company_id = ${of.company.id}`.execute(db);
  const { heads, keys } = bodyOf(await as(null)(certificates.heads, path));
  const proof = await proofOf(person, certificate.id);
  expect([heads.length, (heads[0] as { root?: string }).root]).toEqual([1, proof.head.root]);
  expect(keys.map(({ publicKey }) => publicKey)).toContain(proof.publicKey);
  expect(fromHex(proof.head.root).length).toBe(32);
});

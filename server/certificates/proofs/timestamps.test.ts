import { sql } from "kysely";
import { afterAll, describe, expect, test } from "vitest";
import { checkProof, checkTimestamp } from "#server/certificates/proofs/checkProof.ts";
import { checkTrees } from "#server/certificates/proofs/checkTrees.ts";
import { headsOf, signedHead } from "#server/certificates/proofs/heads.ts";
import { readSigningKey, signText } from "#server/certificates/proofs/keys.ts";
import { readReply } from "#server/certificates/proofs/timestampReply.ts";
import { timestampHeads } from "#server/certificates/proofs/timestamps.ts";
import { certificates } from "#shared/certificates/certificates.ts";
import { headText, type ProofFile } from "#shared/certificates/proof.ts";
import { createCertifier } from "#test/certificates.ts";
import { bodyOf } from "#test/probes.ts";
import { start } from "#test/start.ts";
import { AUTHORITY, hasOpenssl, startAuthority } from "#test/timestampAuthority.ts";

// An authority that is not ours says since when the signed root of a day exists. Needs the program openssl

/** Moves the signed roots of an issuer by days, and signs them again. */
const moveHeads = ({ db, services }: Awaited<ReturnType<typeof start>>, issuer: string, days: number) =>
  db.transaction().execute(async (tx) => {
    await sql`update certificate_heads set day = day + ${days}::int where company_id = ${issuer}`.execute(tx);
    const key = await readSigningKey(services.config, tx);
    for (const head of await headsOf(tx).where("heads.companyId", "=", issuer).execute())
      await tx
        .updateTable("certificateHeads")
        .set({ signature: signText(key, headText(signedHead(issuer, head))) })
        .where("companyId", "=", issuer)
        .where("day", "=", head.day)
        .execute();
  });

describe.skipIf(!hasOpenssl)("with an authority", async () => {
  const authority = await startAuthority();
  afterAll(() => authority.stop());
  const warnings: string[] = [];
  const server = await start({ TIMESTAMP_URL: authority.url }, (line) => {
    if (line.includes("TIMESTAMP_URL")) warnings.push(line);
  });
  const { as, db, services } = server;
  const { school, holder } = createCertifier(server);

  /** An issuer whose tree was signed on a day that is over, with a certificate in it. */
  const issuer = async () => {
    const of = await school();
    const held = await holder(of);
    await moveHeads(server, of.company.id, -2);
    return { ...of, ...held, params: { id: of.company.id } };
  };
  const listHeads = async (params: { id: string }) => bodyOf(await as(null)(certificates.heads, { params }));

  test("the root of a day that has ended is stamped once, and openssl agrees", async () => {
    const { params, person, certificate } = await issuer();
    const today = await issuer();
    await moveHeads(server, today.params.id, 2);
    await timestampHeads(services);
    await timestampHeads(services);
    expect(authority.requests).toHaveLength(1);
    const { heads, timestamps } = await listHeads(params);
    expect([heads.length, timestamps]).toEqual([1, [expect.objectContaining({ authority: AUTHORITY })]]);
    expect((await listHeads(today.params)).timestamps).toEqual([]);

    const [{ day }] = timestamps as [(typeof timestamps)[number]];
    const root = `/api/issuers/${params.id}/heads/${day}`;
    const text = (await server.app.inject({ url: root })).body;
    const stamp = await server.app.inject({ url: `${root}/timestamp` });
    expect(stamp.headers["content-type"]).toBe("application/timestamp-reply");
    expect(await authority.verify(text, stamp.rawPayload)).toContain("Verification: OK");
    expect(await authority.verify(text.replace(day, "2020-01-01"), stamp.rawPayload)).not.toContain("Verification: OK");

    // The proof of a certificate takes the stamped root, and says so.
    const proof = (await as(person)(certificates.proof, { params: { id: certificate.id } }))
      .body as unknown as ProofFile;
    expect(checkProof(proof).problems).toEqual([]);
    const checked = await checkTimestamp(proof);
    expect([checked.lines, checked.problems]).toEqual([
      [expect.stringContaining(`calls itself ${AUTHORITY}`), expect.stringContaining("openssl ts -verify")],
      [],
    ]);
    const moved = await checkTimestamp({ ...proof, head: { ...proof.head, root: "00".repeat(32) } });
    expect(moved.problems).toEqual(["the time stamp does not fit: the time stamp is of something else"]);
    // A signed tree that claims another time than its time stamp.
    const backdated = (await authority.forge(stamp.rawPayload, { year: 2020 })).toString("base64");
    expect((await checkTimestamp({ ...proof, timestamp: backdated })).problems).toEqual([
      "the time stamp is of another time than the tree",
    ]);
    const shown = bodyOf(await as(null)(certificates.verify, { params: { number: certificate.number } }));
    expect(shown?.timestamp).toEqual({ on: new Date().toISOString().slice(0, 10), by: AUTHORITY });

    expect((await checkTrees(db)).problems).toEqual([]);
    const say = (authority: string) =>
      sql`update certificate_timestamps set authority = ${authority} where company_id = ${params.id}`.execute(db);
    await say("Somebody");
    expect((await checkTrees(db)).problems).toHaveLength(1);
    await say(AUTHORITY);
    expect((await checkTrees(db)).problems).toEqual([]);
    await sql`update certificate_timestamps set reply = '\\x00' where company_id = ${params.id}`.execute(db);
    expect((await checkTrees(db)).problems).toContainEqual(
      expect.stringContaining(`the time stamp of ${day} does not fit its root`),
    );
    await expect(sql`delete from certificate_timestamps`.execute(db)).rejects.toThrow();
  });

  test("a reply that does not fit is not kept, and is asked for again", async () => {
    const { params } = await issuer();
    const flipped = (reply: Buffer) => {
      const body = Buffer.from(reply);
      const at = body.length - 20;
      body.writeUInt8(body.readUInt8(at) ^ 1, at);
      return { body };
    };
    let earlier: Buffer | undefined;
    const hostile: [string, Parameters<typeof authority.answer>[0]][] = [
      ["the signature is not valid", flipped],
      ["not a time stamp", () => ({ body: Buffer.from("<html>Sign in</html>") })],
      ["not a time stamp", () => ({ body: Buffer.alloc(0) })],
      ["answered 503", () => ({ status: 503, body: Buffer.alloc(0) })],
      ["refused with status 2", () => ({ body: Buffer.from("30053003020102", "hex") })],
      ["longer than", () => ({ body: Buffer.alloc(100_000) })],
      ["not a time stamp", (reply) => ((earlier = reply), { body: reply.subarray(0, 900) })],
      ["answers another request", () => ({ body: earlier as Buffer })],
    ];
    for (const [reason, change] of hostile) {
      warnings.length = 0;
      authority.answer(change);
      await timestampHeads(services);
      expect(warnings.join("\n")).toContain(reason);
      expect((await listHeads(params)).timestamps).toEqual([]);
    }
    await timestampHeads(services);
    expect((await listHeads(params)).timestamps).toHaveLength(1);
  });

  test("a reply of another time, or of a certificate for something else, is not kept", async () => {
    const { params } = await issuer();
    const forgeries: [string, Parameters<typeof authority.forge>[1]][] = [
      ["its clock says 2020-", { year: 2020 }],
      ["not one for time stamps", { certificate: "plain" }],
    ];
    for (const [reason, how] of forgeries) {
      warnings.length = 0;
      authority.answer(async (reply) => ({ body: await authority.forge(reply, how) }));
      await timestampHeads(services);
      expect(warnings.join("\n")).toContain(reason);
      expect((await listHeads(params)).timestamps).toEqual([]);
    }
    // A forgery that changes nothing is one that the checks above let through.
    authority.answer(async (reply) => ({ body: await authority.forge(reply, {}) }));
    await timestampHeads(services);
    expect((await listHeads(params)).timestamps).toHaveLength(1);
  });

  test("a time stamp of another text proves nothing", async () => {
    const { params } = await issuer();
    await timestampHeads(services);
    const { heads, timestamps } = await listHeads(params);
    const path = `/api/issuers/${params.id}/heads/${timestamps[0]?.day}/timestamp`;
    const { rawPayload } = await server.app.inject({ url: path });
    await expect(readReply(rawPayload, JSON.stringify(heads[0]))).rejects.toThrow("something else");
  });
});

test("roots are published as a feed, and without an authority nothing is asked", async () => {
  const server = await start();
  const { school, holder } = createCertifier(server);
  const of = await school();
  const { certificate, person } = await holder(of);
  const { id } = of.company;
  await moveHeads(server, id, -2);
  await timestampHeads(server.services);
  const feed = await server.app.inject({ url: `/api/issuers/${id}/heads.atom` });
  expect(feed.headers["content-type"]).toBe("application/atom+xml; charset=utf-8");
  const proof = (await server.as(person)(certificates.proof, { params: { id: certificate.id } }))
    .body as unknown as ProofFile;
  expect(Object.keys(proof)).not.toContain("timestamp");
  expect(feed.body.split("<entry>")).toHaveLength(2);
  expect(feed.body).toContain(`<id>urn:lyceum:head:${id}:${proof.head.day}</id>`);
  expect(feed.body).toContain(`&quot;root&quot;:&quot;${proof.head.root}&quot;`);
  const missing = ["heads/2020-01-01", "heads/2020-01-01/timestamp", "heads/x", `heads/${proof.head.day}/timestamp`];
  const statuses = [];
  for (const path of missing)
    statuses.push((await server.app.inject({ url: `/api/issuers/${id}/${path}` })).statusCode);
  expect(statuses).toEqual([404, 404, 404, 404]);
  expect((await server.app.inject({ url: `/api/issuers/${person.user.id}/heads.atom` })).statusCode).toBe(404);
});

test("an authority that could never be called is refused at the start", async () => {
  for (const TIMESTAMP_URL of [
    "http://timestamps.example.com/tsr",
    "https://user:word@timestamps.example.com",
    "ftp://x",
  ])
    await expect(start({ TIMESTAMP_URL })).rejects.toThrow(/cannot be used:\n {2}TIMESTAMP_URL: /);
});

import { sql } from "kysely";
import { expect } from "vitest";
import { type LinkDays, transcripts } from "#shared/transcripts/transcripts.ts";
import { createCertifier } from "#test/certificates.ts";
import { bodyOf } from "#test/probes.ts";
import type { Person, start } from "#test/start.ts";

/** People with completed courses, and their transcripts. */
export function createTranscriptTester(server: Awaited<ReturnType<typeof start>>) {
  const { app, as, db } = server;
  const { school, holder } = createCertifier(server);
  const everything = { withScores: true, withTimes: true };
  const issue = async (person: Person, shown = everything) =>
    bodyOf(await as(person)(transcripts.issue, { body: shown }));
  const read = async (person: Person, id: string) => bodyOf(await as(person)(transcripts.get, { params: { id } }));
  const share = async (person: Person, id: string, days: LinkDays = 30) =>
    bodyOf(await as(person)(transcripts.share, { params: { id }, body: { days } }));
  const tokenIn = (url: string | undefined) => url?.split("/").at(-1) ?? "";
  const open = async (token: string) => bodyOf(await as(null)(transcripts.open, { params: { token } }));
  const fetchFile = async (person: Person, path: string, id: string) => {
    const headers = { authorization: `Bearer ${person.token}` };
    const reply = await app.inject({ url: path.replace(":id", id), headers });
    expect(reply.statusCode).toBe(200);
    return reply;
  };
  const spend = (person: Person, no: number, seconds: number) =>
    sql`
    update attempts
    set active_seconds = ${seconds}
    where user_id = ${person.user.id}
      and no = ${no}`.execute(db);
  /** A learner who has completed a course in ten minutes, and has its certificate. */
  async function graduate(name = "Jonas Hagen") {
    const of = await school({ timezone: "UTC" });
    const { person, certificate } = await holder(of, name);
    await spend(person, 1, 600);
    return { ...of, person, certificate };
  }

  return { everything, issue, read, share, tokenIn, open, fetchFile, spend, graduate };
}

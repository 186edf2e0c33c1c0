import { randomUUID } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { sql } from "kysely";
import { expect } from "vitest";
import { auth } from "#shared/auth/auth.ts";
import { companies } from "#shared/companies/companies.ts";
import { ALL_PREFERENCES } from "#shared/consent/consentPreferences.ts";
import { consents } from "#shared/consent/consent.ts";
import { learners } from "#shared/learners/learners.ts";
import { mails } from "#shared/mails/mails.ts";
import { player, SESSION_HEADER } from "#shared/player/player.ts";
import type { ErasurePolicy } from "#shared/privacy/privacy.ts";
import { reports } from "#shared/reports/reports.ts";
import { type Person, start } from "#test/start.ts";
import { PASSWORD } from "#test/password.ts";

type Classroom = {
  admin: Person;
  company: { id: string; accessCode: string; version: number };
  course: { id: string };
};

/** A server with functions to create people with data everywhere, and to search all storage for traces of them. */
export async function startErasureServer() {
  const lines: string[] = [];
  const server = await start({}, (line) => lines.push(line));
  const { as, make, db, services } = server;

  /** Columns of all tables, except system schemas, in which one of the words occurs in any form. */
  async function findInTables(words: string[]) {
    const { rows } = await sql<{ schema: string; table: string; column: string }>`
      select table_schema::text as schema, table_name::text as table, column_name::text as column from information_schema.columns join information_schema.tables using (table_schema, table_name)
      where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`.execute(db);
    const found: string[] = [];
    for (const { schema, table, column } of rows) {
      const text = sql`case when pg_typeof(${sql.ref(column)}) = 'bytea'::regtype then encode(${sql.ref(column)}::text::bytea, 'escape') else ${sql.ref(column)}::text end`;
      const hits = await sql<{
        n: number;
      }>`select count(*)::int as n from ${sql.table(`${schema}.${table}`)} where ${sql.join(
        words.map((word) => sql`position(lower(${word}) in lower(${text})) > 0`),
        sql` or `,
      )}`.execute(db);
      if ((hits.rows[0]?.n ?? 0) > 0) found.push(`${schema}.${table}.${column}`);
    }
    return found;
  }
  const walk = (folder: string): string[] =>
    (existsSync(folder) ? readdirSync(folder) : []).flatMap((name) => {
      const path = join(folder, name);
      return statSync(path).isDirectory() ? walk(path) : [path];
    });
  const findInFiles = (words: string[]) =>
    walk(services.config.filesDir).filter((path) =>
      words.some((word) => path.includes(word) || readFileSync(path).includes(word)),
    );

  /** A learner with data in every table, created through the API. */
  async function createActivePerson(classroom: Classroom, name: string, complete = true) {
    const { admin, company, course } = classroom;
    const email = `ms-${randomUUID()}@example.com`;
    await as(admin)(learners.invite, { body: { companyId: company.id, people: [{ email, name }] } });
    const mail = (await as(admin)(mails.list, { query: { q: email } })).body.items[0]?.body ?? "";
    const invitation = /invitation=([\w-]+)/.exec(mail)?.[1] as string;
    await as(null)(auth.acceptInvitation, {
      params: { token: invitation },
      body: { name, password: PASSWORD },
    });
    const person = await make.signIn(email);
    const session = await make.launch(person, company.id, course.id);
    const set = (seq: number, key: string, value: string) => ({
      seq,
      t: seq * 10,
      type: "scorm.set" as const,
      sco: "i1",
      key,
      value,
    });
    const commit = () =>
      as(null, { [SESSION_HEADER]: session.token })(player.commit, {
        params: { id: session.sessionId },
        body: {
          events: [
            { seq: 1, t: 1, type: "nav", sco: "i1" },
            { seq: 2, t: 2, type: "scorm.init", sco: "i1" },
            set(3, "cmi.suspend_data", `typed by ${email}`),
            set(4, "cmi.interactions.0.id", "q1"),
            set(5, "cmi.interactions.0.student_response", `I am ${name}`),
            set(6, "cmi.core.lesson_location", `page of ${email}`),
            set(7, "cmi.core.score.raw", "80"),
            ...(complete ? [set(8, "cmi.core.lesson_status", "completed")] : []),
            { seq: complete ? 9 : 8, t: 99, type: "scorm.commit", sco: "i1" },
          ],
        },
      });
    expect((await commit()).status).toBe(200);
    await as(person)(consents.record, { body: { status: "accept_all", preferences: ALL_PREFERENCES } });
    await as(admin)(reports.learner, { params: { id: person.user.id } });
    await as(admin)(learners.suspend, { body: { ids: [person.user.id], reason: `${name} is on leave` } });
    await as(admin)(learners.reactivate, { body: { ids: [person.user.id] } });
    const again = await make.signIn(email);
    return { ...again, email, name, invitation, session, words: [email, name, again.user.id] };
  }
  /** A classroom whose company has this erasure policy. */
  const createClassroom = async (erasurePolicy: ErasurePolicy): Promise<Classroom> => {
    const classroom = await make.classroom();
    const company = (
      await as(classroom.admin)(companies.update, {
        params: { id: classroom.company.id },
        body: { erasurePolicy, retentionYears: 3, version: classroom.company.version },
      })
    ).body;
    return { ...classroom, company };
  };

  return { ...server, lines, findInTables, findInFiles, createActivePerson, createClassroom };
}

import { randomUUID } from "node:crypto";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { RawBuilder } from "kysely";
import { committer, openPart, setValue } from "#test/commits.ts";
import type { Launch } from "#shared/player/player.ts";
import type { start } from "#test/start.ts";

// What the tests of all domains need to know about one of them. Every domain says it in its own folder, in
// `domain.probes.ts`: a new domain is crawled, fuzzed and tried from another company without a change of these tests.

export type Server = Awaited<ReturnType<typeof start>>;
type Classroom = Awaited<ReturnType<Server["make"]["classroom"]>>;

/** A company that domains fill with rows: people, a course, and a session in which a question was answered. */
export type Room = Classroom & {
  server: Server;
  /** Events 1 to 4 are stored. */
  session: Launch;
  /** Part of every text, so that it is found in no row of another company. */
  tag: string;
  /** The company and the course of those who try to read and write here. */
  own: Pick<Classroom, "company" | "course">;
};
/** A valid request for a row of the company: the id in its path, and its body. */
export type Write = { id?: string; body?: object };

/** The condition for a row `t` that belongs to a company. */
export type CompanyCondition = (companyId: string) => RawBuilder<boolean>;

export type Probes = {
  /**
   * Fills a company. Returns texts and ids that only its rows contain, and a write for each endpoint that addresses a
   * row of a company, by the name of the endpoint.
   */
  fill?: (room: Room) => Promise<{ marks?: string[]; writes?: Record<string, Write> }>;
  /**
   * Writes whose subject is the academy, the account of the caller, or a guest: `chatbots.*`, `companies.create`.
   */
  withoutCompany?: string[];
  /** The rows of a company in tables without `company_id`, by table. */
  companyRows?: Record<string, CompanyCondition>;
  /** Pages of lists, as path and query, that read a bounded number of rows for each that they return. */
  boundedPages?: string[];
};

const folder = join(import.meta.dirname, "../server");
const files = readdirSync(folder)
  .map((name) => join(folder, name, "domain.probes.ts"))
  .filter((path) => existsSync(path));
export const probes: Probes[] = await Promise.all(
  files.map(async (path) => ((await import(path)) as { probes: Probes }).probes),
);

/** Creates a company with something of everything. `own`: the company of those who will try to read it. */
export async function fillCompany(server: Server, own?: Room["own"]) {
  const { as, make } = server;
  const classroom = await make.classroom();
  const { admin, learner, company, course } = classroom;
  const session = await make.launch(learner, company.id, course.id);
  const tag = randomUUID().slice(0, 8);
  await committer(as)(session, {
    events: [
      ...openPart(),
      setValue(3, "cmi.interactions.0.id", "q1"),
      setValue(4, "cmi.interactions.0.student_response", `Answer ${tag}`),
    ],
    activeMs: 1000,
  });
  const room: Room = { ...classroom, server, session, tag, own: own ?? classroom };
  const marks = [company.id, company.name, company.accessCode, learner.user.id, learner.user.email, session.sessionId];
  const writes: Record<string, Write> = {};
  for (const { fill } of probes) {
    const filled = await fill?.(room);
    marks.push(...(filled?.marks ?? []));
    Object.assign(writes, filled?.writes);
  }
  return { ...room, manager: admin, marks, writes };
}

/** The body of a reply with status 200; throws for any other, so that no probe fills nothing. */
export function bodyOf<B>({ status, body }: { status: number; body: B }): B {
  if (status !== 200) throw new Error(`A probe got ${status}: ${JSON.stringify(body)}`);
  return body;
}

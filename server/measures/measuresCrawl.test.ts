import { sql } from "kysely";
import { afterAll, expect, test } from "vitest";
import { analysis } from "#shared/analysis/analysis.ts";
import { analysisRuns } from "#shared/analysis/analysisRuns.ts";
import { analyticsRows } from "#shared/analysis/conversationAnalytics.ts";
import { audit } from "#shared/audit/audit.ts";
import { companies } from "#shared/companies/companies.ts";
import { conversations } from "#shared/conversations/conversations.ts";
import type { Contract } from "#shared/core/route.ts";
import { courses } from "#shared/courses/courses.ts";
import { learners } from "#shared/learners/learners.ts";
import { privacy } from "#shared/privacy/privacy.ts";
import { rawData } from "#shared/rawData/rawData.ts";
import { search } from "#shared/search/search.ts";
import { measuredKinds, type MeasuredKind } from "#shared/core/measuredKinds.ts";
import { DEFAULT_CHOICES, measures } from "#shared/measures/measures.ts";
import { reports } from "#shared/reports/reports.ts";
import { createCrawler, visitAll } from "#test/crawl.ts";
import { listOperations } from "#test/operations.ts";
import { fillCompany } from "#test/probes.ts";
import { setValue } from "#test/commits.ts";
import type { Tx } from "#server/core/database/db.ts";
import { start } from "#test/start.ts";
import { statementOf } from "#test/statementOf.ts";

// What a company has switched off leaves the server in no reply to an admin: values are planted in every column of the
// database that holds such data, and every address that an admin can read is read before and after.

const server = await start();
const { app, as, db } = server;
const origin = await app.listen({ host: "127.0.0.1", port: 0 });
afterAll(() => app.server.closeAllConnections());
const operations = listOperations((await app.inject("/api/openapi.json")).json());
const room = await fillCompany(server);
const { admin, learner, company, course } = room;
const get = (token: string, url: string) => app.inject({ url, headers: { authorization: `Bearer ${token}` } });

const [SECONDS, REPORTED, MINUTES, REPORTED_MINUTES] = [47_112_420, 47_118_420, 785_207, 785_307];
const SCORE = 83.7;
const daysAgo = (days: number, ms: number) => new Date(Math.floor(Date.now() / 1000) * 1000 - days * 86_400_000 + ms);
const TIMES = [daysAgo(2, 371), daysAgo(2, 373), daysAgo(2, 377)] as const;
const PLACE = "planted-place-of-the-replay";
const WORDS = "Quokkas hibernate beside my desk";
/** Also of several enrolments together. */
const sums = [SECONDS, REPORTED, MINUTES, REPORTED_MINUTES].flatMap((value) =>
  Array.from({ length: 40 }, (_, times) => (times + 1) * value),
);
const marks: Record<MeasuredKind, RegExp> = {
  replay: new RegExp(PLACE),
  activeTime: new RegExp(`(?<![\\w.])(${sums.join("|")})(?!\\w)|PT47112420S`),
  lastActivity: new RegExp(TIMES.map((time) => time.toISOString().slice(0, -1).replace(".", "\\.")).join("|")),
  conversations: new RegExp(WORDS),
  scores: /(?<![\d.])(83\.7|0\.837)(?!\d)/,
};

/** Every column with such a name, in every table. */
const planting = (work: (tx: Tx) => Promise<unknown>) =>
  db.transaction().execute(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx);
    await work(tx);
  });
async function plant(names: string[], value: ReturnType<typeof sql>, table?: string) {
  const { rows } = await sql<{ table: string; column: string }>`
    select columns.table_name as table, columns.column_name as column
    from information_schema.columns
    join information_schema.tables using (table_schema, table_name)
    where table_schema = 'public'
      and table_type = 'BASE TABLE'
      and is_generated = 'NEVER'
      and columns.column_name = any(${names})
      and columns.table_name = coalesce(${table ?? null}, columns.table_name)`.execute(db);
  await planting(async (tx) => {
    for (const { table: name, column } of rows)
      await sql`update ${sql.table(name)} set ${sql.ref(column)} = ${value}`.execute(tx);
  });
  return rows.map((row) => `${row.table}.${row.column}`);
}

async function plantAll() {
  const statement = statementOf({
    actor: { account: { homePage: server.services.config.publicUrl, name: learner.user.id } },
    result: { score: { scaled: 0.837 }, duration: "PT47112420S" },
  });
  const result = JSON.stringify({ result: statement.result });
  await sql`update statements set statement = statement || ${result}::jsonb`.execute(db);
  const planted = [
    ...(await plant(["active_seconds"], sql`${SECONDS}`)),
    ...(await plant(["reported_seconds"], sql`${REPORTED}`)),
    ...(await plant(["minutes"], sql`${MINUTES}`, "certificates")),
    ...(await plant(["score_percent"], sql`${SCORE}`)),
    ...(await plant(
      ["last_active", "last_login_at"],
      sql`case when role = 'learner' then ${TIMES[0]}::timestamptz end`,
      "users",
    )),
    ...(await plant(["last_activity_at", "last_seen_at"], sql`${TIMES[1]}::timestamptz`)),
  ];
  await sql`
    update sessions
    set started_at = ${TIMES[2]}::timestamptz, active_ms = ${SECONDS}::bigint * 1000`.execute(db);
  const moved = JSON.stringify([setValue(9, "cmi.core.lesson_location", PLACE)]);
  await planting((tx) => sql`update session_events set events = (events::jsonb || ${moved}::jsonb)::json`.execute(tx));
  const rule = {
    match: "any",
    tests: [
      { kind: "time", minutes: 1 },
      { kind: "score", percent: 50 },
    ],
  };
  await sql`update courses set completion_rule = ${JSON.stringify(rule)}::jsonb where id = ${course.id}`.execute(db);
  const outcome = JSON.stringify([{ isMet: true, value: SECONDS }]);
  await sql`update rule_change_rows set tests = ${outcome}::jsonb`.execute(db);
  await sql`update turns set text = ${WORDS} where role = 'user'`.execute(db);
  await sql`update conversations set title = ${WORDS}`.execute(db);
  await sql`update enrolments set status = 'completed', completed_at = now()`.execute(db);
  return planted;
}

const planted = await plantAll();
const { call, crawl } = createCrawler(origin, operations);
const person = { token: admin.token };
const { body: run } = await as(admin)(analysisRuns.create, {
  body: { title: "Counted", kind: "counts", filter: { from: "2026-01-01", to: "2030-12-31" }, withTone: true },
});
const { body: issued } = await as(admin)(reports.issue, { params: { id: learner.user.id }, body: {} });
const address = ({ path }: Contract, id: string, query: Record<string, string> = {}) =>
  `${path.replace(":id", id)}?${new URLSearchParams(query).toString()}`;
const period = { from: "2026-06-01", to: "2026-12-31" };
/** What the crawl cannot know: queries, files, and orders by what is hidden. */
const queries = [
  address(learners.export, ""),
  address(learners.list, "", { sort: "-lastActive" }),
  address(companies.list, "", { sort: "-lastActivity" }),
  address(courses.enrolments, "", { sort: "-lastActivityAt" }),
  ...[company.id, course.id, learner.user.id].flatMap((id) => [
    address(reports.export, id),
    address(reports.rows, id, { group: "scored", score: "80" }),
    address(reports.rows, id, { group: "activeIn" }),
    ...["-activeSeconds", "-scorePercent", "-lastActivityAt"].map((sort) => address(reports.rows, id, { sort })),
  ]),
  address(reports.check, issued.id),
  address(privacy.export, "", { userId: learner.user.id }),
  address(analyticsRows.conversations, "", period),
  address(analyticsRows.export, "", period),
  address(analysis.analytics, "", period),
  address(analysisRuns.get, run.id),
  address(analysis.reviews, "", { userId: learner.user.id }),
  address(conversations.all, "", { q: "Quokkas" }),
  address(search.find, "", { q: "Quokkas" }),
  address(rawData.attempts, "", { courseId: course.id, variableIds: "" }),
  address(audit.list, "", { action: "account.signIn" }),
];

type Hits = Record<MeasuredKind, Set<string>>;
const nameOf = (url: string) =>
  operations.find(
    ({ method, path }) =>
      method === "GET" && new RegExp(`^${path.replace(/\{\w+\}/g, "[^/]+")}$`).test(url.split("?")[0] as string),
  )?.name ?? url;
const noHits = (): Hits => Object.fromEntries(measuredKinds.map((kind) => [kind, new Set()])) as unknown as Hits;
const note = (hits: Hits, url: string, text: string) => {
  for (const kind of measuredKinds) if (marks[kind].test(text)) hits[kind].add(nameOf(url));
};

const choose = async (version: number, choices: Partial<typeof DEFAULT_CHOICES>) =>
  as(admin)(measures.update, {
    params: { id: company.id },
    body: { choices: { ...DEFAULT_CHOICES, ...choices }, version, reason: "" },
  });
const allOff = Object.fromEntries(measuredKinds.map((kind) => [kind, "nobody"])) as Record<MeasuredKind, "nobody">;

test("nothing that is switched off is in any reply to an admin", { timeout: 600_000 }, async () => {
  expect(planted.length).toBeGreaterThan(15);
  const before = noHits();
  const urls = new Set<string>(queries);
  const found = await crawl([person], (url, text) => {
    urls.add(url);
    note(before, url, text);
  });
  expect(found.wrong).toEqual([]);
  const readAll = async (hits: Hits, read: Iterable<string>) => {
    const failed: unknown[] = [];
    await visitAll([...read], async (url) => {
      const { status, text } = await call(person, "GET", url);
      if (status === 0 || status > 499) failed.push([url, status, text.slice(0, 200)]);
      note(hits, url, text);
    });
    expect(failed).toEqual([]);
    return hits;
  };
  await readAll(before, queries);
  // What the crawl must find while everything is shown: otherwise it would prove nothing.
  const known: Record<MeasuredKind, string[]> = {
    replay: ["reports.session", "reports.replayEvents"],
    activeTime: [
      "companies.get",
      "learners.list",
      "learners.export",
      "reports.learner",
      "reports.figures",
      "reports.rows",
      "reports.export",
      "reports.dashboard",
      "certificates.proof",
      "statements.get",
      "completions.get",
      "rawData.attempts",
      "privacy.export",
      "courses.enrolments",
    ],
    lastActivity: ["companies.list", "learners.get", "learners.export", "reports.rows", "reports.active"],
    conversations: [
      "conversations.transcript",
      "reports.conversationTurns",
      "analysis.review",
      "analysis.analytics",
      "questionClusters.get",
      "search.find",
      "privacy.export",
    ],
    scores: [
      "learners.get",
      "learners.export",
      "reports.learner",
      "reports.figures",
      "reports.rows",
      "reports.export",
      "certificates.get",
      "statements.list",
      "completions.get",
      "rawData.attempts",
      "reports.completed",
    ],
  };
  for (const kind of measuredKinds) expect([...before[kind]]).toEqual(expect.arrayContaining(known[kind]));

  const { version } = (await as(admin)(measures.get, { params: { id: company.id } })).body;
  expect((await choose(version, allOff)).status).toBe(200);
  const after = await readAll(noHits(), urls);
  expect(Object.fromEntries(measuredKinds.map((kind) => [kind, [...after[kind]]]))).toEqual(
    Object.fromEntries(measuredKinds.map((kind) => [kind, []])),
  );

  const own = noHits();
  for (const url of [address(reports.learner, learner.user.id), address(reports.figures, learner.user.id)])
    note(own, url, (await get(learner.token, url)).body);
  expect(["activeTime", "lastActivity", "scores"].filter((kind) => own[kind as MeasuredKind].size === 0)).toEqual([]);
});

import { sql } from "kysely";
import { expect, test } from "vitest";
import { createRandom } from "#server/demo/random.ts";
import { committer, openPart, setValue } from "#test/commits.ts";
import { recountLearning } from "#server/reports/recount.ts";
import { type Company, companies } from "#shared/companies/companies.ts";
import { courses } from "#shared/courses/courses.ts";
import { learners } from "#shared/learners/learners.ts";
import { privacy } from "#shared/privacy/privacy.ts";
import { figureGroups, type ReportFigures, type ReportKind } from "#shared/reports/reportFigures.ts";
import { reports } from "#shared/reports/reports.ts";
import { ageOneDay } from "#test/historyRows.ts";
import { scaled } from "#test/long.ts";
import { manifest12 } from "#test/samplePackage.ts";
import {
  type About,
  addDays,
  dayIn,
  type Enrolment,
  recompute,
  type Snapshot,
  takeSnapshot,
} from "#test/reportOracle.ts";
import { type Person, start } from "#test/start.ts";

// Reports over a random history of studies, late events, assignments, due dates, withdrawals, moves, erasures, versions
// and time zones: each figure equals a plain recomputation from the tables of a day, on that day, later as of that day,
// and in the issued report

const { app, as, make, db } = await start();
const send = committer(as);
const SEED = Number(process.env.SEED ?? 7);
const DAYS = scaled(5, 30);
const ACTS = 9;
const PERIOD_DAYS = 3;
/** A zone in which it is about noon, so that no day ends while the test runs. */
const hoursToNoon = 12 - new Date().getUTCHours();
const zone = `Etc/GMT${hoursToNoon > 0 ? "-" : "+"}${Math.abs(hoursToNoon)}`;
const packageWith = (parts: number) => ({
  "index.html": "<html></html>",
  "imsmanifest.xml": manifest12(
    Array.from(
      { length: parts },
      (_, n) => `<item identifier="i${n + 1}" identifierref="r1"><title>Part ${n + 1}</title></item>`,
    ).join(""),
  ),
});

test(`figures equal a recomputation, today and as of every day (seed ${SEED})`, { timeout: 900_000 }, async () => {
  const random = createRandom(SEED);
  const pick = <T>(list: T[]) => list[Math.floor(random() * list.length)] as T;
  const admin = await make.admin();
  const boss = as(admin);
  const rooms: Company[] = [];
  for (const erasurePolicy of ["anonymise", "delete", "retain"] as const) {
    const made = await make.company(admin);
    const body = { erasurePolicy, retentionYears: 3, version: made.version };
    rooms.push((await boss(companies.update, { params: { id: made.id }, body })).body);
  }
  const lessons = [await make.course(admin), await make.course(admin, { files: packageWith(4) })];
  let people: Person[] = [];
  const erased = new Map<string, Enrolment>();
  const join = async () => void people.push(await make.learner(pick(rooms).accessCode));
  for (let n = 0; n < 6; n++) await join();
  const ofSome = () => ({ userIds: people.filter(() => random() < 0.5).map(({ user }) => user.id) });
  const params = () => ({ id: pick(lessons).id });
  const today = (days = 0) => addDays(dayIn("UTC", Date.now()), days);
  const dueDate = () => pick([null, "2020-01-01", today(-1), today(0), today(2), "2090-01-01"]);
  const undoable: string[] = [];
  const keep = (reply: { status: number; body: { undoId?: string } }) => {
    if (reply.status === 200 && reply.body.undoId) undoable.push(reply.body.undoId);
  };
  const study = async () => {
    const person = await make.signIn(pick(people).user.email).catch(() => null);
    if (!person) return;
    const { rows } = await sql<{ companyId: string; courseId: string }>`select company_id, course_id from enrolments e
      where user_id = ${person.user.id} and status <> 'withdrawn'
      and company_id = (select company_id from users where id = e.user_id) order by course_id`.execute(db);
    if (rows.length === 0) return;
    const { companyId, courseId } = pick(rows);
    const session = await make.launch(person, companyId, courseId, { newAttempt: random() < 0.3 }).catch(() => null);
    if (!session) return;
    // A browser that was offline sends events of the day before.
    if (random() < 0.2)
      await sql`
        update sessions
        set started_at = started_at - interval '20 hours'
        where id = ${session.sessionId}`.execute(db);
    const sco = pick(session.parts).sco;
    const outcome = pick(["incomplete", "failed", "passed", "completed"]);
    const score = String(Math.floor(random() * 101));
    const opened = await send(session, {
      events: [...openPart(1, sco), setValue(3, "cmi.core.score.raw", score, sco)],
      activeMs: 1000 + Math.floor(random() * 50_000),
    });
    expect(opened.status).toBe(200);
    if (outcome !== "incomplete")
      await send(session, {
        events: [setValue(4, "cmi.core.lesson_status", outcome, sco)],
        activeMs: 60_000,
        end: "exit",
      });
  };
  const erase = async () => {
    const person = pick(people);
    if (people.length < 6) return join();
    people = people.filter((one) => one !== person);
    const { enrolments } = await takeSnapshot(db, erased);
    for (const row of enrolments) if (row.person === person.user.id) erased.set(row.id, row);
    expect((await boss(privacy.erase, { body: { userId: person.user.id } })).status).toBe(200);
  };
  /** Open attempts stay on their version, which has more or fewer parts than the one in use. */
  const publish = async (id = pick(lessons).id, parts = 1 + Math.floor(random() * 4)) => {
    const made = await make.version(admin, id, packageWith(parts));
    expect([made.status, made.body.partTitles.length]).toEqual([200, parts]);
  };
  const acts = [
    join,
    ...Array.from({ length: 9 }, () => study),
    erase,
    async () => keep(await boss(courses.assign, { params: params(), body: { ...ofSome(), dueDate: dueDate() } })),
    async () => keep(await boss(courses.setDue, { params: params(), body: { ...ofSome(), dueDate: dueDate() } })),
    async () => keep(await boss(courses.withdraw, { params: params(), body: ofSome() })),
    async () => keep(await boss(courses.restore, { params: params(), body: { filter: { status: "withdrawn" } } })),
    async () => {
      const id = undoable.pop();
      if (id) await boss(courses.undo, { params: { id } });
    },
    () => boss(learners.move, { body: { ids: [pick(people).user.id], companyId: pick(rooms).id } }),
    () => boss(learners.suspend, { body: { ids: [pick(people).user.id] } }),
    () => boss(learners.reactivate, { body: { ids: people.map(({ user }) => user.id) } }),
    async () => {
      const { id } = pick(rooms);
      const { version } = (await boss(companies.get, { params: { id } })).body;
      const timezone = pick(["UTC", "Asia/Kathmandu", "Pacific/Kiritimati"]);
      await boss(companies.update, { params: { id }, body: { timezone, version } });
    },
    () => publish(),
    () => publish(),
  ];
  for (const { id } of lessons)
    await boss(courses.assign, { params: { id }, body: { companyIds: rooms.map((room) => room.id) } });

  // A learner opens the last of four parts; the next day, a version with one part is published.
  const [first] = people as [Person];
  const { companyId } = first.user;
  const long = await make.launch(first, companyId as string, lessons[1]?.id as string);
  await send(long, { events: openPart(1, long.parts.at(-1)?.sco), activeMs: 1000 });
  // There is no report on an erased learner.
  const listSubjects = (): About[] => [
    ...rooms.map(({ id }) => ({ kind: "company" as const, id })),
    ...lessons.map(({ id }) => ({ kind: "course" as const, id })),
    ...people.map(({ user: { id } }) => ({ kind: "learner" as const, id })),
  ];
  const readAll = async (daysAgo: number) => {
    const asOf = addDays(dayIn(zone, Date.now()), -daysAgo);
    const query = { asOf, from: addDays(asOf, 1 - PERIOD_DAYS), to: asOf, zone };
    const readings: { about: About; query: typeof query; figures: ReportFigures }[] = [];
    for (const about of listSubjects()) {
      const reply = await boss(reports.figures, { params: { id: about.id }, query });
      expect(reply.status).toBe(200);
      readings.push({ about, query, figures: reply.body.figures });
    }
    return readings;
  };
  const expectRight = (days: Snapshot[], ageInDays: number, readings: Awaited<ReturnType<typeof readAll>>) => {
    for (const { about, query, figures } of readings) {
      const where = { day: days.length - 1, ageInDays, kind: about.kind };
      expect({ ...where, ...figures }).toEqual({ ...where, ...recompute(days, ageInDays, about, query) });
    }
  };

  const days: Snapshot[] = [];
  for (let day = 0; day < DAYS; day++) {
    for (let n = 0; n < ACTS; n++) await pick(acts)();
    if (day === 1) await publish(lessons[1]?.id, 1);
    days.push(await takeSnapshot(db, erased));
    expectRight(days, 0, await readAll(0));
    if (day === DAYS - 1) break;
    await ageOneDay(db);
    const aDayBack = (at: string | null) => at && new Date(Date.parse(at) - 86_400_000).toISOString();
    for (const row of erased.values())
      Object.assign(row, {
        assignedAt: aDayBack(row.assignedAt),
        firstStartedAt: aDayBack(row.firstStartedAt),
        completedAt: aDayBack(row.completedAt),
        lastActivityAt: aDayBack(row.lastActivityAt),
      });
  }
  for (let day = 0; day < DAYS; day++)
    expectRight(days.slice(0, day + 1), DAYS - 1 - day, await readAll(DAYS - 1 - day));
  expect(await recountLearning(db)).toEqual([]);
  expect(days.at(-1)?.enrolments.some(({ status }) => status === "completed")).toBe(true);
  expect(new Set(days.map(({ partCounts }) => JSON.stringify(partCounts))).size).toBeGreaterThan(1);

  // The list behind a figure and its export have as many rows as the figure says, today and on an earlier day.
  for (const daysAgo of [0, 2]) {
    const readings = await readAll(daysAgo);
    for (const {
      about: { id, kind },
      query,
      figures,
    } of readings) {
      const { totals, period } = figures;
      const counts: [Record<string, string | number>, number][] = [
        ...figureGroups.map((group): [Record<string, string>, number] => [
          { group },
          Number({ ...totals, ...period }[group]),
        ]),
        ...figures.parts.map(({ position, stopped }): [Record<string, number>, number] => [
          { stoppedAt: position },
          stopped,
        ]),
        ...figures.scores.map((count, step): [Record<string, number>, number] => [{ score: step * 10 }, count]),
        ...figures.weeks.map(({ week, completedIn }): [Record<string, string>, number] => [
          { week, group: "completedIn" },
          completedIn,
        ]),
      ];
      for (const [filter, count] of counts) {
        const { body } = await boss(reports.rows, {
          params: { id },
          query: { ...query, ...filter, size: 200 } as never,
        });
        expect({ filter, total: body.total, rows: body.items.length }).toEqual({ filter, total: count, rows: count });
      }
      const { body } = await boss(reports.people, { params: { id }, query: { ...query, size: 200 } });
      if (kind !== "learner")
        expect([body.total, body.items.reduce((sum, { assigned }) => sum + assigned, 0)]).toEqual([
          totals.people,
          totals.assigned,
        ]);
      const search = new URLSearchParams({ ...query, group: "started" });
      const url = `${reports.export.path.replace(":id", id)}?${search}`;
      const file = await app.inject({ method: "GET", url, headers: { authorization: `Bearer ${admin.token}` } });
      expect([Number(file.headers["x-rows"]), file.body.trim().split("\r\n").length - 1]).toEqual([
        totals.started,
        totals.started,
      ]);
    }
  }

  // A report issued for an earlier day has the figures of that day, and keeps them.
  const issued: { id: string; kind: ReportKind }[] = [];
  for (const daysAgo of [1, DAYS - 2])
    for (const { about, query, figures } of await readAll(daysAgo)) {
      const { body } = await boss(reports.issue, { params: { id: about.id }, body: query });
      const row = db.selectFrom("issuedReports").where("id", "=", body.id).select("figures");
      expect((await row.executeTakeFirst())?.figures).toEqual(figures);
      issued.push({ id: body.id, kind: about.kind });
    }
  for (let n = 0; n < 3 * ACTS; n++) await pick(acts)();
  await erase();
  for (const { id, kind } of issued) {
    const { body } = await boss(reports.check, { params: { id } });
    const different = body.figures.filter((one) => one.issued !== one.counted);
    expect({ kind, isDigestRight: body.isDigestRight, different }).toEqual({
      kind,
      isDigestRight: true,
      different: [],
    });
  }
});

import { sql } from "kysely";
import type { Db } from "#server/core/database/db.ts";
import type { PeriodFigures, ReportFigures, ReportKind, Totals } from "#shared/reports/reportFigures.ts";

// The figures of a report, recomputed in plain TypeScript from the tables as they were on each day: slow and obvious

const DAY_MS = 86_400_000;
export type Enrolment = {
  id: string;
  person: string | null;
  companyId: string;
  courseId: string;
  status: string;
  success: string;
  scorePercent: number | null;
  dueDate: string | null;
  assignedAt: string;
  firstStartedAt: string | null;
  completedAt: string | null;
  lastActivityAt: string | null;
  activeSeconds: number;
  reportedSeconds: number;
  /** Positions of the parts of the latest attempt that were opened, and of those that are done. */
  opened: number[];
  done: number[];
};
type Member = { companyId: string | null; status: "invited" | "active" | "suspended"; role: string };
/** The tables on one day. */
export type Snapshot = {
  takenAt: string;
  enrolments: Enrolment[];
  members: Member[];
  zones: Record<string, string>;
  /** Parts of the version of each course that is in use. */
  partCounts: Record<string, number>;
};

/**
 * Reads the tables. Of erased people, `before` has what the erasure has cut off: who they were, their times and their
 * parts.
 */
export async function takeSnapshot(db: Db, before: Map<string, Enrolment>): Promise<Snapshot> {
  const { rows } = await sql<Enrolment>`
    select e.id, e.user_id as person, e.company_id, e.course_id, e.status, e.success, e.score_percent, e.due_date, e.assigned_at, e.first_started_at,
      e.completed_at, e.last_activity_at, e.active_seconds, e.reported_seconds,
      coalesce((select jsonb_agg(p.place) from attempts a join part_states s on s.attempt_id = a.id join parts_in_order(a.version_id) p on p.sco = s.sco
        where a.enrolment_id = e.id and a.no = (select max(no) from attempts where enrolment_id = e.id)), '[]') as opened,
      coalesce((select jsonb_agg(p.place) from attempts a join part_states s on s.attempt_id = a.id join parts_in_order(a.version_id) p on p.sco = s.sco
        where a.enrolment_id = e.id and a.no = (select max(no) from attempts where enrolment_id = e.id)
          and (s.completion = 'completed' or s.success = 'passed')), '[]') as done
    from enrolments e`.execute(db);
  const enrolments = rows.map((row) => {
    const known = before.get(row.id);
    if (row.person !== null || !known) return row;
    const { person, assignedAt, firstStartedAt, completedAt, lastActivityAt, opened, done } = known;
    return { ...row, person, assignedAt, firstStartedAt, completedAt, lastActivityAt, opened, done };
  });
  const members = await sql<Member>`select company_id, status, role from users`.execute(db);
  const companies = await sql<{ id: string; timezone: string }>`select id, timezone from companies`.execute(db);
  const courses = await sql<{
    id: string;
    parts: number;
  }>`select id, (select count(*)::int from parts_in_order(live_version_id)) as parts
    from courses`.execute(db);
  const now = await sql<{ now: string }>`select clock_timestamp() as now`.execute(db);
  return {
    takenAt: now.rows[0]?.now as string,
    enrolments,
    members: members.rows,
    zones: Object.fromEntries(companies.rows.map(({ id, timezone }) => [id, timezone])),
    partCounts: Object.fromEntries(courses.rows.map(({ id, parts }) => [id, parts])),
  };
}

const formats = new Map<string, Intl.DateTimeFormat>();
export function dayIn(zone: string, at: string | number) {
  const format = formats.get(zone) ?? new Intl.DateTimeFormat("en-CA", { timeZone: zone, dateStyle: "short" });
  formats.set(zone, format);
  return format.format(new Date(at));
}
const toMs = (day: string) => Date.parse(`${day}T00:00Z`);
export const addDays = (day: string, days: number) => new Date(toMs(day) + days * DAY_MS).toISOString().slice(0, 10);
const mondayOf = (day: string) => addDays(day, -((new Date(toMs(day)).getUTCDay() + 6) % 7));

const round = (value: number) => {
  const rounded = Math.round((value + Number.EPSILON) * 10) / 10;
  return value > 0 && value < 100 ? Math.min(99.9, Math.max(0.1, rounded)) : rounded;
};
const mean = (values: number[]) =>
  values.length === 0 ? null : round(values.reduce((sum, value) => sum + value, 0) / values.length);
function median(values: number[]) {
  if (values.length === 0) return null;
  const sorted = values.toSorted((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  return ((sorted[Math.floor(middle)] as number) + (sorted[Math.ceil(middle)] as number)) / 2;
}

type Period = { from: string; to: string; zone: string };
export type About = { kind: ReportKind; id: string };

/**
 * The figures as of the last of `days`, which are the tables at the end of each day, oldest first. `ageInDays` says how
 * many days ago the last one is by now: all its times are moved back by as much.
 */
export function recompute(days: Snapshot[], ageInDays: number, about: About, period: Period): ReportFigures {
  const last = days.at(-1) as Snapshot;
  const subjectOf = { company: "companyId", course: "courseId", learner: "person" } as const;
  const ofSubject = (row: Enrolment) => row[subjectOf[about.kind]] === about.id;
  const rows = last.enrolments.filter((row) => ofSubject(row) && row.status !== "withdrawn");
  const back = (at: string) => Date.parse(at) - ageInDays * DAY_MS;
  /** The day in a zone, of a time of the last snapshot. */
  const dayOf = (zone: string, at: string) => dayIn(zone, back(at));
  const zoneOf = (row: Enrolment) => last.zones[row.companyId] as string;
  // Counted as of the end of a day, or as of now.
  const asOf = ageInDays > 0 ? toEndOf(dayOf(period.zone, last.takenAt), period.zone) : Date.parse(last.takenAt);
  const isOverdue = (row: Enrolment) =>
    row.status !== "completed" && row.dueDate !== null && dayIn(zoneOf(row), asOf) > row.dueDate;

  const totalsOf = (some: Enrolment[]): Totals => {
    const scored = some.filter((row) => row.scorePercent !== null).map((row) => row.scorePercent as number);
    const completed = some.filter((row) => row.status === "completed");
    return {
      people: new Set(some.map(({ person }) => person)).size,
      assigned: some.length,
      notStarted: some.filter(({ status }) => status === "assigned").length,
      started: some.filter(({ status }) => status !== "assigned").length,
      completed: completed.length,
      overdue: some.filter(isOverdue).length,
      scored: scored.length,
      passed: some.filter(({ success }) => success === "passed").length,
      failed: some.filter(({ success }) => success === "failed").length,
      meanScore: mean(scored),
      medianScore: median(scored) === null ? null : round(median(scored) as number),
      medianSeconds: median(completed.map((row) => row.activeSeconds)),
      medianDays: median(
        completed
          .filter((row) => row.firstStartedAt !== null)
          .map(
            (row) =>
              (toMs(dayOf(zoneOf(row), row.completedAt as string)) -
                toMs(dayOf(zoneOf(row), row.firstStartedAt as string))) /
              DAY_MS,
          ),
      ),
    };
  };

  const isIn = (at: string | null, from: string, to: string) =>
    at !== null && dayOf(period.zone, at) >= from && dayOf(period.zone, at) <= to;
  /** An enrolment at the end of a day, by the label of today; nothing if there was none. */
  const onDay = (id: string, day: string) => {
    const daysAgo = Math.round((toMs(dayOf(period.zone, last.takenAt)) - toMs(day)) / DAY_MS);
    return daysAgo <= 0
      ? last.enrolments.find((row) => row.id === id)
      : days.at(-1 - daysAgo)?.enrolments.find((row) => row.id === id);
  };
  const lastActivity = (id: string, day: string) => {
    const daysAgo = Math.max(0, Math.round((toMs(dayOf(period.zone, last.takenAt)) - toMs(day)) / DAY_MS));
    const at = onDay(id, day)?.lastActivityAt;
    return at ? dayIn(period.zone, back(at) - daysAgo * DAY_MS) : null;
  };
  const periodOf = (from: string, to: string): PeriodFigures => {
    const completed = rows.filter((row) => row.status === "completed" && isIn(row.completedAt, from, to));
    const start = toEndOf(addDays(from, -1), period.zone);
    const end = Math.min(toEndOf(to, period.zone), asOf);
    const due = rows.filter((row) => {
      const dueEnd = row.dueDate === null ? null : toEndOf(row.dueDate, zoneOf(row));
      return dueEnd !== null && dueEnd >= start && dueEnd < end;
    });
    const isOnTime = (row: Enrolment) =>
      row.status === "completed" && dayOf(zoneOf(row), row.completedAt as string) <= (row.dueDate as string);
    const active = rows.filter(({ id }) => (lastActivity(id, to) ?? "") >= from);
    const secondsAt = (id: string, day: string) => onDay(id, day)?.activeSeconds ?? 0;
    return {
      assignedIn: rows.filter((row) => isIn(row.assignedAt, from, to)).length,
      startedIn: rows.filter((row) => row.status !== "assigned" && isIn(row.firstStartedAt, from, to)).length,
      completedIn: completed.length,
      dueIn: due.length,
      onTimeIn: due.filter(isOnTime).length,
      activeIn: active.length,
      activePeople: new Set(active.map(({ person }) => person)).size,
      activeSeconds: rows.reduce((sum, { id }) => sum + secondsAt(id, to) - secondsAt(id, addDays(from, -1)), 0),
    };
  };

  const { from, to } = period;
  const length = (toMs(to) - toMs(from)) / DAY_MS + 1;
  const weeks = [];
  for (let week = mondayOf(from); week <= to; week = addDays(week, 7)) {
    const inWeek = (at: string | null) => isIn(at, from, to) && mondayOf(dayOf(period.zone, at as string)) === week;
    weeks.push({
      week,
      startedIn: rows.filter((row) => row.status !== "assigned" && inWeek(row.firstStartedAt)).length,
      completedIn: rows.filter((row) => row.status === "completed" && inWeek(row.completedAt)).length,
    });
  }
  const partCount = last.partCounts[about.id] ?? 0;
  /** A part of another version counts at its place, at most as the last one. */
  const placesOf = (positions: number[]) => positions.map((position) => Math.min(position, partCount));
  const furthest = (row: Enrolment) => Math.max(0, ...placesOf(row.opened));
  const splitOf = (row: Enrolment) => (about.kind === "course" ? row.companyId : row.courseId);
  const splitIds = [...new Set(rows.map(splitOf))].toSorted();
  const dayOrNull = (at: string | null) => (at === null ? null : dayOf(period.zone, at));
  const ofCompany = last.members.filter(({ companyId, role }) => companyId === about.id && role === "learner");
  const countMembers = (wanted: Member["status"]) => ofCompany.filter(({ status }) => status === wanted).length;
  return {
    totals: totalsOf(rows),
    period: periodOf(from, to),
    before: periodOf(addDays(from, -length), addDays(from, -1)),
    weeks,
    scores: Array.from(
      { length: 10 },
      (_, n) =>
        rows.filter(({ scorePercent: score }) => score !== null && score >= n * 10 && (n === 9 || score < (n + 1) * 10))
          .length,
    ),
    parts:
      about.kind !== "course"
        ? []
        : Array.from({ length: partCount }, (_, index) => index + 1).map((position) => ({
            position,
            reached: rows.filter((row) => row.status === "completed" || furthest(row) >= position).length,
            stopped: rows.filter((row) => row.status !== "completed" && furthest(row) === position).length,
            done: rows.filter((row) => placesOf(row.done).includes(position)).length,
          })),
    split: splitIds.map((id) => ({
      id,
      ...totalsOf(rows.filter((row) => splitOf(row) === id)),
    })),
    members:
      about.kind === "company"
        ? { invited: countMembers("invited"), active: countMembers("active"), suspended: countMembers("suspended") }
        : null,
    record:
      about.kind === "learner"
        ? {
            activeSeconds: rows.reduce((sum, row) => sum + row.activeSeconds, 0),
            reportedSeconds: rows.reduce((sum, row) => sum + row.reportedSeconds, 0),
            assignments: rows
              .map((row) => ({
                id: row.id,
                courseId: row.courseId,
                status: (isOverdue(row) ? "overdue" : row.status) as "overdue",
                success: row.success as "unknown",
                score: row.scorePercent,
                seconds: row.activeSeconds,
                dueDate: row.dueDate,
                startedOn: row.status === "assigned" ? null : dayOrNull(row.firstStartedAt),
                completedOn: row.status === "completed" ? dayOrNull(row.completedAt) : null,
              }))
              .toSorted((a, b) => (a.id < b.id ? -1 : 1)),
          }
        : null,
  };
}

/** The first moment after a day in a zone. */
function toEndOf(day: string, zone: string) {
  let at = toMs(day);
  while (dayIn(zone, at) <= day) at += 15 * 60_000;
  while (dayIn(zone, at - 15 * 60_000) > day) at -= 15 * 60_000;
  return at;
}

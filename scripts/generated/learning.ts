import { createFacts, EVENTS_PER_COMMIT, iso, PARTS, type Plan, range } from "./facts.ts";
import type { Table } from "./rows.ts";
import { pick } from "./values.ts";

const devices = [
  { browser: "Chrome", os: "Windows" },
  { browser: "Safari", os: "macOS" },
  { browser: "Firefox", os: "Linux" },
  { browser: "Safari", os: "iOS", viewport: "390x844" },
];

/** What learners do: enrolments, attempts, sessions, events, and their traces. */
export function learningTables(plan: Plan): Table[] {
  const { seed } = plan;
  const { id, unit, userOf, enrolments, started, successOf, sessionsOf, commitOf } = createFacts(plan);
  return [
    {
      name: "enrolments",
      columns: [
        "id",
        "user_id",
        "company_id",
        "course_id",
        "source",
        "assigned_at",
        "due_date",
        "status",
        "progress",
        "success",
        "score_percent",
        "current_part",
        "parts_done",
        "active_seconds",
        "reported_seconds",
        "first_started_at",
        "completed_at",
        "last_activity_at",
      ],
      *rows() {
        for (const e of enrolments()) {
          const at = (time: number | null) => (time === null ? null : iso(time));
          const progress = e.startedAt === null ? null : Math.round((100 * e.done) / PARTS);
          const completedAt = e.status === "completed" ? at(e.lastAt) : null;
          const current = e.startedAt === null ? null : `i${Math.min(PARTS, e.done + 1)}`;
          yield [
            id("enrolment", e.n),
            id("user", e.user),
            id("company", e.company),
            id("course", e.course),
            "company",
            iso(e.assignedAt),
            e.due,
            e.status,
            progress,
            successOf(e),
            e.score,
            current,
            e.done,
            e.seconds,
            e.seconds,
            at(e.startedAt),
            completedAt,
            at(e.lastAt),
          ];
        }
      },
    },
    {
      name: "attempts",
      columns: [
        "id",
        "enrolment_id",
        "user_id",
        "company_id",
        "course_id",
        "version_id",
        "no",
        "rev",
        "completion",
        "success",
        "progress",
        "score_percent",
        "current_part",
        "active_seconds",
        "reported_seconds",
        "started_at",
        "last_activity_at",
        "completed_at",
      ],
      *rows() {
        for (const e of started()) {
          const isDone = e.status === "completed";
          const progress = Math.round((100 * e.done) / PARTS);
          const last = iso(e.lastAt as number);
          yield [
            id("attempt", e.n),
            id("enrolment", e.n),
            id("user", e.user),
            id("company", e.company),
            id("course", e.course),
            id("version", e.course),
            1,
            e.sessions,
            isDone ? "complete" : "incomplete",
            successOf(e),
            progress,
            e.score,
            `i${Math.min(PARTS, e.done + 1)}`,
            e.seconds,
            e.seconds,
            iso(e.startedAt as number),
            last,
            isDone ? last : null,
          ];
        }
      },
    },
    {
      name: "part_states",
      columns: ["attempt_id", "sco", "cmi", "completion", "visits", "reported_seconds"],
      *rows() {
        for (const e of started())
          for (const part of range(Math.min(PARTS, e.done + 1)))
            yield [
              id("attempt", e.n),
              `i${part + 1}`,
              { "cmi.core.lesson_location": `slide-${part}` },
              part < e.done ? "completed" : "incomplete",
              e.sessions,
              e.seconds / PARTS,
            ];
      },
    },
    {
      name: "sessions",
      columns: [
        "id",
        "attempt_id",
        "user_id",
        "company_id",
        "token_hash",
        "client_id",
        "device",
        "started_at",
        "last_seen_at",
        "ended_at",
        "end_reason",
        "active_ms",
        "commits",
        "failed_commits",
        "last_seq",
      ],
      *rows() {
        for (const e of started())
          for (const { number, at, endedAt, events } of sessionsOf(e)) {
            const commits = Math.ceil(events / EVENTS_PER_COMMIT);
            const failed = unit(53, number) < 0.002 ? 4 : 0;
            const end = iso(endedAt);
            yield [
              id("session", number),
              id("attempt", e.n),
              id("user", e.user),
              id("company", e.company),
              "none",
              `generated-${number % 3}`,
              pick(devices, seed, 54, number),
              iso(at),
              end,
              end,
              "exit",
              Math.round(endedAt - at),
              commits,
              failed,
              events,
            ];
          }
      },
    },
    {
      name: "session_events",
      columns: ["session_id", "first_seq", "last_seq", "received_at", "events"],
      *rows() {
        for (const e of started())
          for (const { number, at, events } of sessionsOf(e))
            for (let first = 1; first <= events; first += EVENTS_PER_COMMIT) {
              const count = Math.min(EVENTS_PER_COMMIT, events - first + 1);
              yield [
                id("session", number),
                first,
                first + count - 1,
                iso(at + first * 9000),
                commitOf(number, first, count),
              ];
            }
      },
    },
    {
      name: "audit_entries",
      columns: ["at", "action", "actor_id", "actor_role", "person_id", "company_id", "course_id", "details"],
      *rows() {
        for (const e of started())
          for (const { at } of sessionsOf(e))
            yield [
              iso(at),
              "account.signIn",
              id("user", e.user),
              "learner",
              id("user", e.user),
              id("company", e.company),
              null,
              { by: "password" },
            ];
        for (const e of enrolments())
          yield [
            iso(e.assignedAt),
            "courses.assign",
            null,
            "admin",
            id("user", e.user),
            id("company", e.company),
            id("course", e.course),
            {},
          ];
      },
    },
    {
      name: "mails",
      columns: [
        "recipient",
        "user_id",
        "company_id",
        "subject",
        "body",
        "html",
        "reason",
        "status",
        "created_at",
        "sent_at",
      ],
      *rows() {
        for (const n of range(plan.learners)) {
          const { company, createdAt } = userOf(n);
          const sent = iso(createdAt);
          yield [
            `learner.${n}@example.com`,
            id("user", n),
            id("company", company),
            "Your invitation",
            "Set your password.",
            "<p>Set your password.</p>",
            "learners.invitation",
            "sent",
            sent,
            sent,
          ];
        }
      },
    },
  ];
}

import { createFacts, iso, type Plan, range } from "./facts.ts";
import { createTalks } from "./talks.ts";
import type { Table } from "./rows.ts";
import { hashOf, pick } from "./values.ts";

/** The variables of every course. */
const definitions = [
  {
    key: "self_rating",
    label: "I speak up early",
    type: "number",
    writeMode: "last",
    constraints: { min: 0, max: 10 },
  },
  { key: "hints_used", label: "Hints used", type: "number", writeMode: "sum", constraints: {} },
  {
    key: "confidence",
    label: "How sure are you?",
    type: "choice",
    writeMode: "last",
    constraints: { options: ["low", "medium", "high"] },
  },
  { key: "goal", label: "My next step", type: "text", writeMode: "last", constraints: {} },
] as const;
const PER_SESSION = 7;
/** The place of the variable that conversations set. */
const GOAL = 3;
const goals =
  "Ask one question first|Say what I saw|Name the effect|Stop and listen|Agree on a date|Thank them|Wait".split("|");

/**
 * Variables of every course, and the values that learners gave in their sessions and conversations: about five million
 * at 100 %.
 */
export function variableTables(plan: Plan): Table[] {
  const { seed } = plan;
  const { id, started, sessionsOf } = createFacts(plan);
  const { talks } = createTalks(plan);
  const numberOf = (course: number, n: number) => course * definitions.length + n;
  const valueOf = (type: string, ...keys: number[]) => {
    if (type === "number") return hashOf(seed, ...keys) % 11;
    return type === "choice" ? pick(["low", "medium", "high"], seed, ...keys) : pick(goals, seed, ...keys);
  };
  return [
    {
      name: "variables",
      columns: ["id", "key", "label", "type", "constraints", "scope", "write_mode", "status"],
      *rows() {
        for (const course of range(plan.courses))
          for (const [n, { key, label, type, constraints, writeMode }] of definitions.entries())
            yield [id("variable", numberOf(course, n)), key, label, type, constraints, "course", writeMode, "active"];
      },
    },
    {
      name: "variable_courses",
      columns: ["course_id", "key", "variable_id", "access"],
      *rows() {
        for (const course of range(plan.courses))
          for (const [n, { key }] of definitions.entries())
            yield [id("course", course), key, id("variable", numberOf(course, n)), "both"];
      },
    },
    {
      name: "variable_values",
      columns: [
        "variable_id",
        "user_id",
        "company_id",
        "course_id",
        "version_id",
        "attempt_id",
        "session_id",
        "seq",
        "sco",
        "source",
        "value",
        "happened_at",
        "recorded_at",
      ],
      *rows() {
        for (const e of started())
          for (const session of sessionsOf(e))
            for (const n of range(PER_SESSION)) {
              const place = n % definitions.length;
              const at = iso(session.at + ((session.endedAt - session.at) * (n + 1)) / (PER_SESSION + 1));
              const value = valueOf(definitions[place]?.type ?? "text", session.number, n);
              yield [
                id("variable", numberOf(e.course, place)),
                id("user", e.user),
                id("company", e.company),
                id("course", e.course),
                id("version", e.course),
                id("attempt", e.n),
                id("session", session.number),
                n + 1,
                "i1",
                "content",
                JSON.stringify(value),
                at,
                at,
              ];
            }
      },
    },
    {
      name: "variable_values",
      columns: [
        "variable_id",
        "user_id",
        "company_id",
        "course_id",
        "attempt_id",
        "turn_id",
        "source",
        "value",
        "preview",
        "happened_at",
        "recorded_at",
      ],
      *rows() {
        for (const { n, user, company, enrolment, at, first, isPreview } of talks()) {
          if (user === null || company === null || !enrolment || hashOf(seed, 171, n) % 4 > 0) continue;
          yield [
            id("variable", numberOf(enrolment.course, GOAL)),
            id("user", user),
            id("company", company),
            id("course", enrolment.course),
            id("attempt", enrolment.n),
            id("turn", 2 * first),
            "chat",
            JSON.stringify(pick(goals, seed, 172, n)),
            isPreview,
            iso(at),
            iso(at),
          ];
        }
      },
    },
  ];
}

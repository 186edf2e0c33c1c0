import { createFacts, DAY_MS, iso, PARTS, type Plan, range } from "./facts.ts";
import { companyName, courseTitle, hashOf, personName, pick } from "./values.ts";
import { chatbotTables } from "./chatbots.ts";
import { conversationTables } from "./conversations.ts";
import { judgementTables } from "./judgements.ts";
import { variableTables } from "./variables.ts";
import { learningTables } from "./learning.ts";
import { defaultCompletionRule } from "#shared/courses/completionRules.ts";
import type { Part } from "#shared/player/player.ts";

/** Rows of one table for COPY: its columns, and their values. `null` is null; objects are written as JSON. */
export type Table = { name: string; columns: string[]; rows: () => Iterable<Value[]> };
export type Value = string | number | boolean | null | object;

const zones = ["Europe/Berlin", "Europe/Lisbon", "America/New_York", "Asia/Tokyo", "UTC"];

/** The tables of an academy of this size, in an order that respects their references. */
export function tablesOf(plan: Plan): Table[] {
  const { seed, until } = plan;
  const { id, unit, userOf } = createFacts(plan);
  const parts: Part[] = Array.from({ length: PARTS }, (_, n) => ({
    sco: `i${n + 1}`,
    kind: "scorm12",
    title: `Part ${n + 1}`,
    depth: 0,
    href: `part${n + 1}.html`,
    isSco: true,
    given: {},
  }));
  const startOfCourse = until - 800 * DAY_MS;
  return [
    {
      name: "companies",
      columns: ["id", "name", "slug", "status", "access_code", "timezone", "created_at"],
      *rows() {
        for (const n of range(plan.companies)) {
          const status = unit(61, n) < 0.03 ? "suspended" : "active";
          const code = `G${hashOf(seed, 62, n).toString(36).toUpperCase()}${n}`;
          yield [
            id("company", n),
            companyName(seed, n),
            `generated-${n}`,
            status,
            code,
            pick(zones, seed, 63, n),
            iso(startOfCourse),
          ];
        }
      },
    },
    {
      name: "users",
      columns: [
        "id",
        "email",
        "email_verified",
        "name",
        "role",
        "status",
        "company_id",
        "created_at",
        "last_active",
        "last_login_at",
        "invited_at",
        "invitation_expires_at",
        "activated_via",
      ],
      *rows() {
        for (const n of range(plan.learners)) {
          const { company, createdAt, status, lastActive } = userOf(n);
          const name = personName(seed, n);
          const isNew = status === "invited";
          const email = `${name.toLowerCase().replace(" ", ".")}.${n}@example.com`;
          const active = lastActive === null ? null : iso(lastActive);
          const invited = [iso(createdAt), iso(createdAt + 14 * DAY_MS)];
          yield [
            id("user", n),
            email,
            !isNew,
            name,
            "learner",
            status,
            id("company", company),
            iso(createdAt),
            active,
            active,
            ...invited,
            isNew ? null : "invitation",
          ];
        }
      },
    },
    {
      name: "auth_accounts",
      columns: ["user_id", "account_id", "provider_id", "password"],
      *rows() {
        for (const n of range(plan.learners))
          if (userOf(n).status !== "invited") yield [id("user", n), id("user", n), "credential", plan.passwordHash];
      },
    },
    {
      name: "courses",
      columns: ["id", "title", "code", "summary", "minutes", "kind", "status", "completion_rule", "created_at"],
      *rows() {
        const rule = defaultCompletionRule("scorm12");
        for (const n of range(plan.courses))
          yield [
            id("course", n),
            courseTitle(n),
            `GEN-${n}`,
            `What everybody needs to know: ${courseTitle(n)}.`,
            10 + (n % 50),
            "scorm12",
            "published",
            rule,
            iso(startOfCourse),
          ];
      },
    },
    {
      name: "course_versions",
      columns: [
        "id",
        "course_id",
        "number",
        "kind",
        "title",
        "file_name",
        "bytes",
        "files",
        "sha256",
        "manifest",
        "parts",
        "warnings",
        "created_at",
      ],
      *rows() {
        const manifest = { kind: "scorm12", edition: null, identifier: "generated", title: "Generated", items: [] };
        for (const n of range(plan.courses))
          yield [
            id("version", n),
            id("course", n),
            1,
            "scorm12",
            courseTitle(n),
            "generated.zip",
            1_000_000,
            40,
            "none",
            manifest,
            parts,
            [],
            iso(startOfCourse),
          ];
      },
    },
    ...learningTables(plan),
    ...chatbotTables(plan),
    ...conversationTables(plan),
    ...judgementTables(plan),
    ...variableTables(plan),
  ];
}

/** A value in the text format of COPY. */
export function toCopyText(value: Value) {
  if (value === null) return "\\N";
  const text = typeof value === "object" ? JSON.stringify(value) : String(value);
  return /[\\\t\n\r]/.test(text)
    ? text.replace(/[\\\t\n\r]/g, (sign) => `\\${{ "\t": "t", "\n": "n", "\r": "r" }[sign] ?? sign}`)
    : text;
}

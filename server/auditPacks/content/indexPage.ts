import { sql } from "kysely";
import { MAX_PROOFS } from "#server/auditPacks/content/certificateFiles.ts";
import type { Pack } from "#server/auditPacks/content/packFile.ts";
import type { Db } from "#server/core/database/db.ts";
import { escapeXml } from "#server/core/export/xml.ts";
import { heldAsOf } from "#server/requirements/history/held.ts";
import { countStates } from "#server/requirements/requirementRows.ts";
import texts from "#shared/locales/en/auditPackFiles.json" with { type: "json" };
import requirementTexts from "#shared/locales/en/requirements.json" with { type: "json" };
import type { PackCounts } from "#shared/auditPacks/auditPacks.ts";
import { requirementState } from "#shared/requirements/requirements.ts";

const STYLE = [
  "body{font:16px/1.5 system-ui,sans-serif;color:#1c2430;max-width:60rem;margin:2rem auto;padding:0 1rem}",
  "table{border-collapse:collapse;width:100%}",
  "th,td{text-align:start;padding:.4rem .8rem .4rem 0;border-block-end:1px solid #d5dae1;vertical-align:top}",
  "code{background:#f1f3f6;padding:.1rem .3rem;border-radius:.2rem}",
].join("");

/** The minute of an instant in a zone, `2026-11-30 16:32`. */
const timeIn = (instant: string, timeZone: string) =>
  new Intl.DateTimeFormat("sv-SE", { dateStyle: "short", timeStyle: "short", timeZone }).format(new Date(instant));
const fill = (text: string, values: Record<string, string | number>) =>
  text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => String(values[name] ?? ""));
/** Words between backquotes are code. */
const paragraph = (text: string) => `<p>${escapeXml(text).replace(/`([^`]+)`/g, "<code>$1</code>")}</p>`;
/** A table of cells that are HTML. */
const table = (heads: string[], rows: (string | number)[][]) =>
  [
    "<table>",
    `<thead><tr>${heads.map((head) => `<th scope="col">${escapeXml(head)}</th>`).join("")}</tr></thead>`,
    "<tbody>",
    ...rows.map((cells) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join("")}</tr>`),
    "</tbody></table>",
  ].join("\n");

/** The courses of a pack with their titles of today, in its order, and how many people were in which state. */
export async function countCourses(db: Db, pack: Pack): Promise<PackCounts> {
  const { rows } = await sql<{
    courseId: string;
    course: string;
    people: number;
    counts: PackCounts["courses"][number]["counts"];
  }>`
    with held as materialized (${heldAsOf(pack, pack.courseIds)}),
    counted as (
      select course_id, ${countStates}
      from held
      group by course_id
    )
    select
      asked.id as course_id, coalesce(courses.title, ${texts.files.deleted}) as course,
      json_build_object(
        'valid', coalesce(valid, 0), 'ending', coalesce(ending, 0), 'missing', coalesce(missing, 0),
        'overdue', coalesce(overdue, 0), 'expired', coalesce(expired, 0), 'exempt', coalesce(exempt, 0)
      ) as counts,
      (select count(distinct person_id)::int from held) as people
    from unnest(${pack.courseIds}::uuid[]) with ordinality asked (id, place)
    left join courses on courses.id = asked.id
    left join counted on counted.course_id = asked.id
    order by asked.place`.execute(db);
  return {
    people: rows[0]?.people ?? 0,
    courses: rows.map(({ courseId, course, counts }) => ({ courseId, course, counts })),
  };
}

/** The page that explains a pack, to be read without a network. */
export async function indexPage(db: Db, pack: Pack, company: string): Promise<string> {
  const { courses } = await countCourses(db, pack);
  const { index } = texts;
  const asOf = timeIn(pack.at, pack.zone);
  const title = `${company}: ${pack.number}`;
  const counted = table(
    [index.course, ...requirementState.options.map((state) => requirementTexts.states[state])],
    courses.map(({ course, counts }) => [escapeXml(course), ...requirementState.options.map((state) => counts[state])]),
  );
  const files = table(
    [index.file, index.content],
    Object.entries(paths).map(([key, path]) => [
      path.endsWith("/") ? path : `<a href="${path}">${path}</a>`,
      escapeXml(index.contents[key as keyof typeof paths]),
    ]),
  );
  const gaps = Object.values(index.gapList).map(
    (gap) => `<li>${escapeXml(fill(gap, { asOf, count: MAX_PROOFS }))}</li>`,
  );
  const { fromDay: from, toDay: to, zone } = pack;
  return [
    '<!doctype html><html lang="en"><head><meta charset="utf-8">',
    `<meta name="viewport" content="width=device-width, initial-scale=1"><title>${escapeXml(title)}</title>`,
    `<style>${STYLE}</style></head><body>`,
    `<h1>${escapeXml(title)}</h1>`,
    paragraph(fill(index.intro, { company, from, to, asOf, zone })),
    `<h2>${escapeXml(index.required)}</h2>`,
    counted,
    `<h2>${escapeXml(index.files)}</h2>`,
    files,
    `<h2>${escapeXml(index.check)}</h2>`,
    paragraph(index.checkText),
    paragraph(index.digest),
    `<h2>${escapeXml(index.gaps)}</h2>`,
    `<ul>${gaps.join("\n")}</ul>`,
    "</body></html>",
    "",
  ].join("\n");
}

/** Where everything is in a pack. */
export const paths = {
  requirements: "requirements.csv",
  matrix: "matrix.csv",
  requirementsByPerson: "requirements-by-person.csv",
  completions: "completions.csv",
  completionRules: "completion-rules.csv",
  certificates: "certificates.csv",
  corrections: "corrections.csv",
  withdrawals: "withdrawals.csv",
  exemptions: "exemptions.csv",
  settings: "settings.csv",
  proofs: "proofs/",
  verify: "verify.mjs",
  manifest: "manifest.json",
} as const satisfies Record<keyof typeof texts.index.contents, string>;

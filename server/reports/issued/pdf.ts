import type { Readable } from "node:stream";
import qrcode from "qrcode";
import { record } from "#server/audit/service.ts";
import { FileAnswer } from "#server/core/export/exportRows.ts";
import { inScope } from "#server/core/database/scope.ts";
import type { Ctx } from "#server/core/http/http.ts";
import type { Counted } from "#server/reports/figures/assignments.ts";
import { readNames } from "#server/reports/figures/report.ts";
import { readRowsOf } from "#server/reports/figures/rows.ts";
import { hideFigures } from "#server/reports/issued/hidden.ts";
import { readIssued } from "#server/reports/issued/issue.ts";
import { type Cell, INK, PdfReport } from "#server/core/pdf/pdfDocument.ts";
import { calendarDay, counted, dayIn, duration, longDay, percent, share, timeIn } from "#server/core/pdf/pdfFormats.ts";
import { addRecord, learnerFigures } from "#server/reports/issued/learnerPdf.ts";
import { readSettings } from "#server/settings/service.ts";
import { statusText } from "#shared/courses/assignmentStatus.ts";
import texts from "#shared/locales/en/reports.json" with { type: "json" };
import type { ReportFigures, Totals } from "#shared/reports/reportFigures.ts";
import { fillText } from "#shared/variables/templates.ts";
import type { User } from "#shared/core/users.ts";
import type { IssuedReport } from "#shared/reports/issuedReports.ts";
import type { ReportRow } from "#shared/reports/reportRows.ts";

const { figures: names, definitions, columns, erased } = texts.report;
const words = texts.pdf;
/** The most assignments in one PDF, which states if there are more. */
const MAX_ROWS = 5000;
const BATCH = 500;
const titles = { company: words.titleCompany, course: words.titleCourse, learner: words.titleLearner };

/** An issued report as PDF: the figures as issued, their definitions, and the people who were counted. */
export async function sendPdf(ctx: Ctx<User>, id: string) {
  const { report, figures: stored, hidden, counted: basis, about, facts } = await readIssued(ctx, id);
  const figures = hideFigures(stored, hidden);
  const { filters, number, digest, kind } = report;
  await record(ctx.db, ctx, {
    action: "reports.export",
    ...about,
    details: { rows: report.rows, format: "pdf" },
  });
  const { zone } = filters;
  const { academyName } = await readSettings(ctx.db);
  const splitNames = await readNames(
    ctx,
    kind,
    figures.split.map((one) => one.id),
  );
  const group = filters.groupId
    ? await ctx.db
        .selectFrom("groups")
        .where("id", "=", filters.groupId)
        .where(inScope(ctx.user, { company: "groups.companyId" }))
        .select("name")
        .executeTakeFirst()
    : undefined;
  const isCompany = kind === "company";
  const { record: learner } = figures;
  // A report as of midnight is about the day before.
  const lastMoment = new Date(Date.parse(report.asOf) - 1).toISOString();
  const asOf = fillText(words.asOf, { day: longDay(lastMoment, zone) });
  const title = `${titles[kind]} ${asOf}`;
  const pdf = new PdfReport(`${report.title}: ${title}`, academyName);
  const { totals, period } = figures;

  pdf.heading(1, title.replace(` ${asOf}`, `\n${asOf}`));
  if (learner) pdf.paragraph([report.title, ...facts].join(", "), { size: 12, color: INK, gap: 6 });
  pdf.paragraph(
    fillText(words.scope, {
      asOf: `${timeIn(report.asOf, zone)} (${fillText(words.zone, { zone })})`,
      from: calendarDay(filters.from),
      to: calendarDay(filters.to),
      issued: timeIn(report.issuedAt, zone),
      by: report.issuedBy ? fillText(words.by, { name: report.issuedBy }) : "",
    }),
    { gap: group ? 4 : 14 },
  );
  if (group) pdf.paragraph(fillText(words.group, { name: group.name }), { gap: 14 });
  pdf.ledger([
    ...(learner ? [] : [{ label: names.people, value: counted(totals.people), note: "" }]),
    { label: names.assigned, value: counted(totals.assigned), note: "" },
    { label: `${names.completed} ¹`, value: counted(totals.completed), note: share(totals.completed, totals.assigned) },
    { label: `${names.overdue} ²`, value: counted(totals.overdue), note: share(totals.overdue, totals.assigned) },
    {
      label: `${names.passed} ³`,
      value: counted(totals.passed),
      note: share(totals.passed, totals.passed + totals.failed),
    },
    ...(learner ? learnerFigures(learner, totals) : []),
  ]);

  if (learner) await addRecord(pdf, learner, splitNames);
  else await addSplit(pdf, isCompany, figures, splitNames);

  pdf.heading(2, words.period);
  await pdf.table(
    [
      { head: words.summary, width: 0.34 },
      { head: "", width: 0.14, align: "right" },
      { head: words.definitions, width: 0.52 },
    ],
    (["assignedIn", "startedIn", "completedIn", "dueIn", "onTimeIn", "activePeople", "activeSeconds"] as const)
      .filter((name) => name !== "activePeople" || !learner)
      .map((name) => [
        { text: names[name], bold: true },
        { text: textOf(name, period[name]) },
        { text: definitions[name] },
      ]),
  );
  pdf.heading(2, words.definitions);
  pdf.paragraph(`${names.assigned}: ${definitions.assigned}`, { size: 8.5, gap: 3 });
  for (const [mark, name] of [
    ["¹", "completed"],
    ["²", "overdue"],
    ["³", "passed"],
    ...(learner
      ? ([
          ["⁴", "meanScore"],
          ["†", "learnerSeconds"],
        ] as const)
      : ([
          ["⁴", "meanScore"],
          ["†", "medianSeconds"],
        ] as const)),
  ] as const)
    pdf.paragraph(`${mark} ${names[name]}: ${definitions[name]}`, { size: 8.5, gap: 3 });

  const address = `${ctx.config.publicUrl}/reports/issued?number=${number}`;
  pdf.heading(2, words.check);
  pdf.code(
    qrcode.create(address, { errorCorrectionLevel: "M" }).modules,
    address,
    fillText(words.checkText, { address: `${ctx.config.publicUrl}/reports/issued`, number, digest }),
  );

  if (!learner) await addPeople(ctx, pdf, report, basis);
  pdf.finish([report.title, `${academyName}, ${asOf}`], (page, pages) => [
    fillText(words.report, { number }),
    `sha256 ${(digest.slice(0, 16).match(/.{4}/g) ?? []).join(" ")}`,
    fillText(words.page, { page, pages }),
  ]);
  return new FileAnswer(`${number}.pdf`, "application/pdf", pdf.doc as unknown as Readable, report.rows);
}

const textOf = (name: string, value: number | null) => {
  if (value === null) return words.notShown;
  return name === "activeSeconds" ? duration(value) : counted(value);
};

/** The totals of each course of a company, or of each company of a course. */
async function addSplit(
  pdf: PdfReport,
  isCompany: boolean,
  { split, totals }: ReportFigures,
  namesById: Record<string, string>,
) {
  pdf.heading(2, isCompany ? words.courses : words.companies);
  const totalsRow = (name: string, one: Totals, bold = false): Cell[] =>
    [
      name,
      counted(one.assigned),
      counted(one.completed),
      counted(one.overdue),
      counted(one.passed),
      percent(one.meanScore),
      duration(one.medianSeconds),
    ].map((text, n) => ({ text, bold: bold || n === 0 }));
  await pdf.table(
    [
      { head: isCompany ? columns.course : columns.company, width: 0.34 },
      { head: names.assigned, width: 0.1, align: "right" },
      { head: `${names.completed} ¹`, width: 0.12, align: "right" },
      { head: `${names.overdue} ²`, width: 0.1, align: "right" },
      { head: `${names.passed} ³`, width: 0.1, align: "right" },
      { head: `${names.meanScore} ⁴`, width: 0.12, align: "right" },
      { head: `${names.medianSeconds} †`, width: 0.12, align: "right" },
    ],
    [
      ...split
        .map((one) => ({ one, name: namesById[one.id] ?? words.none }))
        .toSorted((a, b) => a.name.localeCompare(b.name, "en"))
        .map(({ one, name }) => totalsRow(name, one)),
      totalsRow(words.all, totals, true),
    ],
  );
}

/** Everybody who was counted, with today's names. */
async function addPeople(ctx: Ctx<User>, pdf: PdfReport, report: IssuedReport, basis: Counted) {
  const { zone } = report.filters;
  const isCompany = report.kind === "company";
  pdf.heading(2, words.people);
  const plural = report.rows === 1 ? words.peopleText_one : words.peopleText_other;
  pdf.paragraph(fillText(plural, { n: counted(report.rows) }));
  if (report.rows > MAX_ROWS)
    pdf.paragraph(fillText(words.limited, { shown: counted(MAX_ROWS), n: counted(report.rows) }));
  const rowOf = (row: Omit<ReportRow, "sessionId" | "t">): Cell[] => [
    { text: row.name ?? fillText(erased, { number: row.person }), bold: true },
    { text: (isCompany ? row.course : row.company) ?? words.none },
    { text: statusText(row), bold: row.overdue },
    { text: percent(row.scorePercent) },
    { text: dayIn(row.completedAt, zone) },
    { text: calendarDay(row.dueDate) },
  ];
  async function* people() {
    for (let page = 1; (page - 1) * BATCH < Math.min(report.rows, MAX_ROWS); page++) {
      const { items } = await readRowsOf(ctx, basis, { page, size: BATCH, sort: "name", group: "assigned" });
      for (const row of items) yield rowOf(row);
    }
  }
  await pdf.table(
    [
      { head: columns.learner, width: 0.25 },
      { head: isCompany ? columns.course : columns.company, width: 0.27 },
      { head: columns.status, width: 0.13 },
      { head: texts.courses.score, width: 0.09, align: "right" },
      { head: columns.completed, width: 0.13 },
      { head: columns.due, width: 0.13 },
    ],
    people(),
  );
}

import type { PdfReport } from "#server/core/pdf/pdfDocument.ts";
import { calendarDay, counted, duration, percent } from "#server/core/pdf/pdfFormats.ts";
import courseTexts from "#shared/locales/en/courses.json" with { type: "json" };
import texts from "#shared/locales/en/reports.json" with { type: "json" };
import { fillText } from "#shared/variables/templates.ts";
import type { LearnerRecord, Totals } from "#shared/reports/reportFigures.ts";

const { figures: names, columns } = texts.report;
const words = texts.pdf;
const results = { unknown: "", passed: names.passed, failed: names.failed };

/** The key figures that only the report on a learner has. */
export const learnerFigures = ({ activeSeconds }: LearnerRecord, { meanScore, scored }: Totals) => [
  {
    label: `${names.meanScore} ⁴`,
    value: percent(meanScore),
    note: scored > 0 ? fillText(texts.report.scoreNote, { n: counted(scored) }) : "",
  },
  { label: `${names.learnerSeconds} †`, value: duration(activeSeconds), note: "" },
];

/** Every course of a learner with its result, as it was issued. */
export async function addRecord(pdf: PdfReport, { assignments }: LearnerRecord, courses: Record<string, string>) {
  pdf.heading(2, columns.courses);
  await pdf.table(
    [
      { head: columns.course, width: 0.3 },
      { head: columns.status, width: 0.13 },
      { head: words.result, width: 0.1 },
      { head: texts.courses.score, width: 0.09, align: "right" },
      { head: texts.courses.active, width: 0.12, align: "right" },
      { head: columns.completed, width: 0.13 },
      { head: columns.due, width: 0.13 },
    ],
    assignments
      .map((one) => ({ ...one, course: courses[one.courseId] ?? words.none }))
      .toSorted((a, b) => a.course.localeCompare(b.course, "en"))
      .map(({ course, status, success, score, seconds, completedOn, dueDate }) => [
        { text: course, bold: true },
        { text: courseTexts.enrolment[status], bold: status === "overdue" },
        { text: results[success] },
        { text: percent(score) },
        { text: duration(seconds) },
        { text: calendarDay(completedOn) },
        { text: calendarDay(dueDate) },
      ]),
  );
}

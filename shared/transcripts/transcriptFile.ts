import { minutesOf } from "#shared/core/dates.ts";
import texts from "#shared/locales/en/transcripts.json" with { type: "json" };
import { fillText } from "#shared/variables/templates.ts";
import type { TranscriptEntry, TranscriptFacts } from "#shared/transcripts/transcripts.ts";

const { columns } = texts;
type Column = [head: string, cellOf: (row: TranscriptEntry) => string | number | null];

/** The columns of a transcript as a file; without those that the person left out. */
export const transcriptColumns = ({ withScores, withTimes }: TranscriptFacts): Column[] => [
  [columns.course, (row) => row.course],
  [columns.code, (row) => row.code],
  [columns.completed, (row) => row.completedOn],
  [columns.result, (row) => texts.results[row.success]],
  ...(withScores ? [[columns.scorePercent, (row) => row.scorePercent] satisfies Column] : []),
  ...(withTimes
    ? [
        [columns.activeMinutes, (row) => minutesOf(row.activeSeconds)] satisfies Column,
        [columns.reportedMinutes, (row) => minutesOf(row.reportedSeconds)] satisfies Column,
      ]
    : []),
  [columns.validUntil, (row) => row.validUntil],
  [columns.certificate, (row) => row.certificate],
  [columns.setByAdmin, (row) => (row.setByAdmin ? texts.yes : "")],
  [columns.elsewhere, (row) => (row.elsewhere === undefined ? "" : row.elsewhere || texts.yes)],
];

/** That a course was completed elsewhere, and what proves it, if anything does. */
export const elsewhereText = (reference: string) =>
  reference === "" ? texts.elsewhere : fillText(texts.elsewhereBy, { reference });

/** The sums of a transcript, in seconds; null if the person left times out. */
export const transcriptTotals = ({ entries, withTimes }: TranscriptFacts) => {
  const sum = (of: "activeSeconds" | "reportedSeconds") =>
    withTimes ? entries.reduce((seconds, entry) => seconds + (entry[of] ?? 0), 0) : null;
  return { completed: entries.length, active: sum("activeSeconds"), reported: sum("reportedSeconds") };
};

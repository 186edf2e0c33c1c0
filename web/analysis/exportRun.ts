import type { TFunction } from "i18next";
import { saveCsv } from "#web/core/table/csv.ts";
import type { RunResult } from "#shared/analysisRuns.ts";

type Statement = RunResult["statements"][number];
type Row = {
  kind: "statement" | "question" | "phrase";
  text: string;
  count: number;
  statement?: Statement;
  quote?: Statement["quotes"][number];
};

/** Saves an analysis as CSV, as it is on screen: a row for each quote of a statement, each question and each phrase. */
export function exportRun({ title, statements, counts, read }: RunResult, t: TFunction) {
  const rows: Row[] = [
    ...statements.flatMap((statement) =>
      statement.quotes.map((quote): Row => ({
        kind: "statement",
        text: statement.text,
        count: statement.conversations,
        statement,
        quote,
      })),
    ),
    ...counts.unanswered.map(({ question, times }): Row => ({ kind: "question", text: question, count: times })),
    ...counts.phrases.map(({ text, conversations }): Row => ({ kind: "phrase", text, count: conversations })),
  ];
  saveCsv<Row>(title, rows, [
    [t("analysis.runs.csv.kind"), ({ kind }) => t(`analysis.runs.csv.${kind}`)],
    [t("analysis.runs.csv.text"), ({ text }) => text],
    [t("analysis.runs.csv.count"), ({ count }) => count],
    [t("analysis.runs.csv.of"), ({ statement }) => statement && read],
    [t("analysis.runs.csv.low"), ({ statement }) => statement?.low],
    [t("analysis.runs.csv.high"), ({ statement }) => statement?.high],
    [t("analysis.runs.csv.quote"), ({ quote }) => quote?.quote],
    [t("analysis.runs.csv.learner"), ({ quote }) => quote?.pseudonym],
    [t("analysis.runs.csv.at"), ({ quote }) => quote?.at],
    [t("analysis.runs.csv.turn"), ({ quote }) => quote?.turnNumber],
  ]);
}

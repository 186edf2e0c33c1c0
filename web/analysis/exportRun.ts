import type { TFunction } from "i18next";
import { saveCsv } from "#web/core/table/csv.ts";
import type { RunResult, ToneCounts } from "#shared/analysis/analysisRuns.ts";

type Statement = RunResult["statements"][number];
type Row = {
  kind: "statement" | "question" | "phrase" | "tone";
  text: string;
  count: number;
  /** Base of the share, and its 95 % interval. */
  share?: { of: number; low: number; high: number };
  quote?: Statement["quotes"][number];
};

/** Saves an analysis as CSV as shown: a row for each quote of a statement, each question, each phrase and each tone. */
export function exportRun({ title, statements, counts, read }: RunResult, t: TFunction) {
  const rows: Row[] = [
    ...statements.flatMap((statement) =>
      statement.quotes.map((quote): Row => ({
        kind: "statement",
        text: statement.text,
        count: statement.conversations,
        share: { of: read, low: statement.low, high: statement.high },
        quote,
      })),
    ),
    ...counts.unanswered.map(({ question, times }): Row => ({ kind: "question", text: question, count: times })),
    ...counts.phrases.map(({ text, conversations }): Row => ({ kind: "phrase", text, count: conversations })),
    ...toneRows(counts.tone, t),
  ];
  saveCsv<Row>(title, rows, [
    [t("analysis.runs.csv.kind"), ({ kind }) => t(`analysis.runs.csv.${kind}`)],
    [t("analysis.runs.csv.text"), ({ text }) => text],
    [t("analysis.runs.csv.count"), ({ count }) => count],
    [t("analysis.runs.csv.of"), ({ share }) => share?.of],
    [t("analysis.runs.csv.low"), ({ share }) => share?.low],
    [t("analysis.runs.csv.high"), ({ share }) => share?.high],
    [t("analysis.runs.csv.quote"), ({ quote }) => quote?.quote],
    [t("analysis.runs.csv.learner"), ({ quote }) => quote?.pseudonym],
    [t("analysis.runs.csv.at"), ({ quote }) => quote?.at],
    [t("analysis.runs.csv.turn"), ({ quote }) => quote?.turnNumber],
  ]);
}

function toneRows(counts: ToneCounts | null, t: TFunction): Row[] {
  if (!counts) return [];
  const { messages, notCounted, shares } = counts;
  const rows = shares.flatMap(({ tone, found: share }): Row[] =>
    share
      ? [
          {
            kind: "tone",
            text: t(`analysis.tone.${tone}`),
            count: share.messages,
            share: { of: messages, low: share.low, high: share.high },
          },
        ]
      : [],
  );
  return notCounted > 0
    ? [...rows, { kind: "tone", text: t("analysis.tone.otherLanguages"), count: notCounted }]
    : rows;
}

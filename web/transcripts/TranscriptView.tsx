import { Anchor } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { Pill } from "#web/core/display/Pill.tsx";
import { formatDate, formatDuration, formatNumber, formatPercent } from "#web/core/format/format.ts";
import classes from "#web/transcripts/transcripts.module.css";
import { transcriptTotals } from "#shared/transcripts/transcriptFile.ts";
import type { CheckedTranscript, EntryState, TranscriptEntry } from "#shared/transcripts/transcripts.ts";

type Column = {
  key: "completed" | "result" | "score" | "active" | "reported" | "validUntil" | "certificate" | "today";
  isNumber?: boolean;
  cellOf: (entry: TranscriptEntry, state: EntryState) => ReactNode;
};

/** The sums and the completions of a transcript, each with whether it agrees with the records of today. */
export function TranscriptView({ transcript: { facts, states, digest } }: { transcript: CheckedTranscript }) {
  const { t } = useTranslation();
  const { entries, withScores, withTimes, total } = facts;
  const { completed, active, reported } = transcriptTotals(facts);
  const totals: [string, string][] = [[t("transcripts.totals.completed"), formatNumber(completed)]];
  if (active !== null) totals.push([t("transcripts.totals.active"), formatDuration(active)]);
  if (reported !== null) totals.push([t("transcripts.totals.reported"), formatDuration(reported)]);
  const columns: Column[] = [
    { key: "completed", cellOf: (entry) => formatDate(entry.completedOn) },
    { key: "result", cellOf: (entry) => t(`transcripts.results.${entry.success}`) },
    ...(withScores ? [{ key: "score", isNumber: true, cellOf: scoreOf } satisfies Column] : []),
    ...(withTimes
      ? [
          { key: "active", isNumber: true, cellOf: activeOf } satisfies Column,
          { key: "reported", isNumber: true, cellOf: reportedOf } satisfies Column,
        ]
      : []),
    { key: "validUntil", cellOf: ({ validUntil }) => validUntil && formatDate(validUntil) },
    {
      key: "certificate",
      cellOf: ({ certificate }) =>
        certificate && (
          <Anchor component={Link} to={`/verify/${certificate}`}>
            {certificate}
          </Anchor>
        ),
    },
    { key: "today", cellOf: (_, state) => <State state={state} /> },
  ];
  return (
    <>
      <dl className={classes.totals}>
        {totals.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {total > entries.length && (
        <p className={classes.dim}>
          {t("transcripts.shared.limited", { shown: formatNumber(entries.length), n: formatNumber(total) })}
        </p>
      )}
      <div className={classes.sheet}>
        {/* Browsers drop the roles of a table that is displayed as blocks, as on phones. */}
        <table className={classes.entries} role="table">
          <thead role="rowgroup">
            <tr role="row">
              <th role="columnheader">{t("transcripts.columns.course")}</th>
              {columns.map(({ key, isNumber }) => (
                <th key={key} role="columnheader" data-align={isNumber && "end"}>
                  {t(`transcripts.columns.${key}`)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody role="rowgroup">
            {entries.map((entry, at) => (
              <tr key={`${at} ${entry.course}`} role="row">
                <th role="rowheader">
                  <bdi>{entry.course}</bdi>
                  <span>
                    {[
                      entry.code,
                      entry.setByAdmin && t("transcripts.setByAdmin"),
                      entry.elsewhere === "" && t("transcripts.elsewhere"),
                      entry.elsewhere && t("transcripts.elsewhereBy", { reference: entry.elsewhere }),
                    ]
                      .filter(Boolean)
                      .join(" · ")}
                  </span>
                </th>
                {columns.map(({ key, isNumber, cellOf }) => (
                  <td key={key} role="cell" data-label={t(`transcripts.columns.${key}`)} data-align={isNumber && "end"}>
                    {cellOf(entry, states[at] ?? "gone")}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p className={classes.digest}>
        {t("transcripts.shared.digest")}: <code>{digest}</code>
      </p>
    </>
  );
}

const scoreOf = ({ scorePercent }: TranscriptEntry) => scorePercent !== null && formatPercent(scorePercent);
const activeOf = ({ activeSeconds }: TranscriptEntry) => activeSeconds !== null && formatDuration(activeSeconds);

const reportedOf = ({ reportedSeconds }: TranscriptEntry) =>
  reportedSeconds !== null && formatDuration(reportedSeconds);

function State({ state }: { state: EntryState }) {
  const { t } = useTranslation();
  const text = t(`transcripts.states.${state}`);
  return state === "same" ? text : <Pill tone="warn">{text}</Pill>;
}

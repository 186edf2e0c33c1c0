import { Anchor } from "@mantine/core";
import { useTranslation } from "react-i18next";
import classes from "#web/analysis/runs.module.css";
import { useOpenConversation } from "#web/analysis/useOpenConversation.ts";
import { Meter } from "#web/core/display/Meter.tsx";
import { formatDay, formatPercent } from "#web/core/format/format.ts";
import type { RunResult } from "#shared/analysis/analysisRuns.ts";

type Evidence = Pick<RunResult["statements"][number], "quotes" | "theirs" | "others">;
const FULL = 100;

/** Answers chosen in a role play already have quotation marks. */
const isQuoted = (text: string) => text.startsWith("“") && text.endsWith("”");

/** The quotes behind a statement or a share, and the results of these people in the course compared with the others. */
export function QuoteCard({ title, evidence }: { title: string; evidence: Evidence }) {
  const { t } = useTranslation();
  const open = useOpenConversation();
  const { quotes, theirs, others } = evidence;
  const shares = [
    { label: theirs && t("analysis.runs.these", { count: theirs.people }), share: theirs },
    { label: others && t("analysis.runs.others", { count: others.people }), share: others },
  ];
  return (
    <aside className={classes.card} aria-label={title}>
      <h2>{title}</h2>
      <ul className={classes.quotes}>
        {quotes.map(({ turnId, conversationId, pseudonym, at, turnNumber, before, quote, after }) => (
          <li key={turnId}>
            <div className={classes.quoteHead}>
              <strong>{t("analysis.runs.learner", { pseudonym })}</strong>
              <span className={classes.dim}>
                {t("analysis.runs.turn", { when: formatDay(at), number: turnNumber })}
              </span>
              <Anchor
                component="button"
                type="button"
                onClick={() => open(`/reports/chatbots?conversation=${conversationId}&turn=${turnId}`)}
              >
                {t("analysis.runs.openTurn")}
              </Anchor>
            </div>
            {isQuoted(before + quote + after) ? "" : "“"}
            {before}
            <mark>{quote}</mark>
            {after}
            {isQuoted(before + quote + after) ? "" : "”"}
          </li>
        ))}
      </ul>
      {theirs && others && (
        <>
          <h3>{t("analysis.runs.outcome")}</h3>
          <div className={classes.outcome}>
            {shares.map(
              ({ label, share }) =>
                share && (
                  <dl key={label} className={classes.bars}>
                    <dt>{label}</dt>
                    <dd>
                      <Meter percent={(share.completed / share.people) * FULL} hideText wide />
                    </dd>
                    <dd>{formatPercent((share.completed / share.people) * FULL)}</dd>
                    <dd className={classes.dim} style={{ gridColumn: "1 / -1" }}>
                      {t("analysis.runs.interval", {
                        low: formatPercent(share.low * FULL),
                        high: formatPercent(share.high * FULL),
                      })}
                    </dd>
                    {share.score && (
                      <dd style={{ gridColumn: "1 / -1" }}>
                        {t("analysis.runs.meanScore", {
                          mean: formatPercent(share.score.mean),
                          low: formatPercent(share.score.low),
                          high: formatPercent(share.score.high),
                        })}
                      </dd>
                    )}
                    <dd style={{ gridColumn: "1 / -1" }}>
                      {t("analysis.runs.retried", {
                        share: formatPercent((share.retried.people / share.people) * FULL),
                        low: formatPercent(share.retried.low * FULL),
                        high: formatPercent(share.retried.high * FULL),
                      })}
                    </dd>
                  </dl>
                ),
            )}
            <p className={classes.dim}>{t("analysis.runs.noCause")}</p>
          </div>
        </>
      )}
    </aside>
  );
}

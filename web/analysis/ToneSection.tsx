import { useState } from "react";
import { useTranslation } from "react-i18next";
import { QuoteCard } from "#web/analysis/QuoteCard.tsx";
import classes from "#web/analysis/runs.module.css";
import { Meter } from "#web/core/display/Meter.tsx";
import { formatNumber } from "#web/core/format/format.ts";
import { Section } from "#web/core/layout/Section.tsx";
import type { RunResult, Tone } from "#shared/analysis/analysisRuns.ts";
import { roundPercent, shareOf } from "#shared/core/percent.ts";

const PERCENT = 100;

/** Messages by tone, rated by their words; each share with quotes. */
export function ToneSection({ counts }: { counts: RunResult["counts"]["tone"] }) {
  const { t } = useTranslation();
  const [selected, setSelected] = useState<Tone>("negative");
  const { messages, people, notCounted, shares } = counts;
  const withQuotes = shares.filter(({ found }) => found !== null && found.quotes.length > 0);
  const shown = withQuotes.find(({ tone }) => tone === selected) ?? withQuotes[0];
  return (
    <div className={classes.two}>
      <Section title={t("analysis.tone.title")} side={t("analysis.runs.counted")}>
        <p className={classes.dim}>{t("analysis.tone.text")}</p>
        {messages > 0 && (
          <ul className={classes.statements}>
            {shares.map(({ tone, found }) => (
              <li key={tone}>
                <button
                  type="button"
                  className={classes.statement}
                  aria-pressed={tone === shown?.tone}
                  disabled={!found || found.quotes.length === 0}
                  onClick={() => setSelected(tone)}
                >
                  <strong>{t(`analysis.tone.${tone}`)}</strong>
                  <span className={classes.share}>
                    {found && t("analysis.runs.of", { n: formatNumber(found.messages), total: formatNumber(messages) })}
                  </span>
                  <span className={classes.detail}>
                    {found ? t("analysis.tone.people", { count: found.people }) : t("analysis.tone.hidden")}
                  </span>
                  {found && (
                    <span>
                      <Meter percent={shareOf(found.messages, messages)} hideText wide />
                      <span className={classes.interval}>
                        {t("analysis.runs.intervalShort", {
                          low: formatNumber(roundPercent(found.low * PERCENT)),
                          high: formatNumber(roundPercent(found.high * PERCENT)),
                        })}
                      </span>
                    </span>
                  )}
                </button>
              </li>
            ))}
          </ul>
        )}
        <p className={classes.dim}>
          {messages === 0
            ? t("analysis.tone.none")
            : t("analysis.tone.sample", { count: messages, people: formatNumber(people) })}{" "}
          {notCounted > 0 && t("analysis.tone.notCounted", { count: notCounted })}
        </p>
      </Section>
      {shown?.found && (
        <QuoteCard
          title={t("analysis.tone.quotes", { tone: t(`analysis.tone.${shown.tone}`) })}
          evidence={shown.found}
        />
      )}
    </div>
  );
}

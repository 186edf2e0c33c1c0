import { useTranslation } from "react-i18next";
import classes from "#web/analysis/runs.module.css";
import { Meter } from "#web/core/display/Meter.tsx";
import { formatNumber } from "#web/core/format/format.ts";
import { Section } from "#web/core/layout/Section.tsx";
import type { ToneCounts } from "#shared/analysis/analysisRuns.ts";
import { roundPercent, shareOf } from "#shared/core/percent.ts";

const PERCENT = 100;

/** Shares of messages by tone, rated by their words. */
export function ToneSection({ counts: { messages, people, notCounted, shares } }: { counts: ToneCounts }) {
  const { t } = useTranslation();
  return (
    <Section title={t("analysis.tone.title")} side={t("analysis.runs.counted")}>
      <p className={classes.dim}>{t("analysis.tone.text")}</p>
      {messages > 0 && (
        <ul className={classes.statements}>
          {shares.map(({ tone, found }) => (
            <li key={tone} className={classes.tone}>
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
  );
}

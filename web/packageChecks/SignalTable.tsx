import { useTranslation } from "react-i18next";
import classes from "#web/packageChecks/packageChecks.module.css";
import { becauseText, placesText } from "#web/packageChecks/findingText.ts";
import { StatusDot, type Tone } from "#web/core/display/StatusDot.tsx";
import { Section } from "#web/core/layout/Section.tsx";
import { formatNumber } from "#web/core/format/format.ts";
import { ENOUGH_SESSIONS, type SeenSignals } from "#shared/courses/packageChecks.ts";
import type { CompletionRule } from "#shared/courses/completionRules.ts";
import { judgePackage, type Missing } from "#shared/courses/packageVerdict.ts";
import type { Comes, PackageReading, SignalKind } from "#shared/packages/packageCheck.ts";

const tones: Record<Comes, Tone> = { yes: "ok", no: "bad", depends: "warn", unknown: "idle" };

const missingSignals: Record<Missing, SignalKind[]> = {
  completed: ["completed", "outcome"],
  passed: ["outcome"],
  score: ["score"],
};

type Props = { reading: PackageReading; rule: CompletionRule; number: number; seen: SeenSignals | undefined };

/** Each signal: whether it will come, the evidence, and in how many sessions it came. */
export function SignalTable({ reading, rule, number, seen }: Props) {
  const { t } = useTranslation();
  const { missing } = judgePackage(reading, rule);
  const lacking = missing ? missingSignals[missing] : [];
  const isSeen = seen !== undefined && seen.signals.length > 0;
  const sessions = seen ? formatNumber(seen.sessions) : "";
  return (
    <Section
      title={t("packageChecks.signals.title")}
      side={<span className={classes.dim}>{t("packageChecks.signals.prediction", { number })}</span>}
    >
      <table className={classes.signals} data-seen={isSeen || undefined}>
        <thead>
          <tr>
            <th scope="col">{t("packageChecks.signals.signal")}</th>
            <th scope="col">{t("packageChecks.signals.comes")}</th>
            <th scope="col">{t("packageChecks.signals.read")}</th>
            {isSeen && <th scope="col">{t("packageChecks.signals.seen")}</th>}
          </tr>
        </thead>
        <tbody>
          {reading.signals.map((signal) => {
            const came = seen?.signals.find(({ kind }) => kind === signal.kind);
            return (
              <tr
                key={signal.kind}
                data-tone={came?.differs ? "warn" : (lacking.includes(signal.kind) && "bad") || undefined}
              >
                <th scope="row">{t(`packageChecks.signals.${signal.kind}`)}</th>
                <td>
                  <StatusDot tone={tones[signal.comes]}>{t(`packageChecks.comes.${signal.comes}`)}</StatusDot>
                </td>
                <td>
                  {becauseText(signal)}
                  {signal.places.length > 0 && <span className={classes.place}>{placesText(signal.places)}</span>}
                </td>
                {isSeen && (
                  <td>
                    <span className={classes.seenLabel}>{t("packageChecks.signals.seen")}</span>
                    {came === undefined && "–"}
                    {came && came.count > 0 && t("packageChecks.seen.of", { count: came.count, sessions })}
                    {came?.count === 0 && t("packageChecks.seen.never", { sessions })}
                    {came?.differs && <strong className={classes.differs}>{t("packageChecks.seen.differs")}</strong>}
                  </td>
                )}
              </tr>
            );
          })}
        </tbody>
      </table>
      {seen && (
        <p className={classes.dim}>
          {isSeen
            ? t("packageChecks.seen.source", { sessions })
            : t("packageChecks.seen.waiting", { count: seen.sessions, enough: ENOUGH_SESSIONS })}
        </p>
      )}
    </Section>
  );
}

import { Fragment } from "react";
import { useTranslation } from "react-i18next";
import type { ReportKind } from "#shared/reports/reportFigures.ts";
import classes from "#web/reports/figures/Report.module.css";

const always = ["assigned", "started", "completed", "overdue", "passed", "meanScore"] as const;
const totals = {
  many: [...always, "medianSeconds", "medianDays"] as const,
  one: [...always, "learnerSeconds"] as const,
};
const inPeriod = {
  many: ["assignedIn", "startedIn", "completedIn", "onTimeIn", "activePeople", "activeSeconds"] as const,
  one: ["assignedIn", "startedIn", "completedIn", "onTimeIn", "activeSeconds"] as const,
};

/** All definitions in one place, for print and for people without a pointer. */
export function Definitions({ kind }: { kind: ReportKind }) {
  const { t } = useTranslation();
  const number = kind === "learner" ? "one" : "many";
  return (
    <details className={classes.definitions}>
      <summary>{t("reports.report.howCounted")}</summary>
      <p>{t("reports.report.asOfText")}</p>
      <dl>
        {totals[number].map((name) => (
          <Fragment key={name}>
            <dt>{t(`reports.report.figures.${name}`)}</dt>
            <dd>{t(`reports.report.definitions.${name}`)}</dd>
          </Fragment>
        ))}
      </dl>
      <p>{t("reports.report.period")}</p>
      <dl>
        {inPeriod[number].map((name) => (
          <Fragment key={name}>
            <dt>{t(`reports.report.figures.${name}`)}</dt>
            <dd>{t(`reports.report.definitions.${name}`)}</dd>
          </Fragment>
        ))}
      </dl>
      {kind === "course" && (
        <>
          <p>{t("reports.report.blocks.title")}</p>
          <dl>
            <dt>{t("reports.report.blocks.groups.reached")}</dt>
            <dd>{t("reports.report.blocks.definitions.reached")}</dd>
            <dt>{t("reports.report.blocks.median")}</dt>
            <dd>{t("reports.report.blocks.definitions.median")}</dd>
            <dt>{t("reports.report.blocks.groups.stopped")}</dt>
            <dd>{t("reports.report.blocks.definitions.stopped")}</dd>
            <dt>{t("reports.report.blocks.unclear")}</dt>
            <dd>{t("reports.report.blocks.definitions.unclear")}</dd>
          </dl>
          <p>{t("reports.report.questions.title")}</p>
          <dl>
            {(["right", "stillWrong"] as const).map((name) => (
              <Fragment key={name}>
                <dt>{t(`reports.report.questions.groups.${name}`)}</dt>
                <dd>{t(`reports.report.questions.definitions.${name}`)}</dd>
              </Fragment>
            ))}
          </dl>
        </>
      )}
    </details>
  );
}

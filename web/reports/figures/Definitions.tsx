import { Fragment } from "react";
import { useTranslation } from "react-i18next";
import classes from "#web/reports/figures/Report.module.css";

const totals = [
  "assigned",
  "started",
  "completed",
  "overdue",
  "passed",
  "meanScore",
  "medianScore",
  "medianSeconds",
  "medianDays",
] as const;
const inPeriod = ["assignedIn", "startedIn", "completedIn", "onTimeIn", "activePeople", "activeSeconds"] as const;

/** All definitions in one place, for readers without a pointer and on paper. */
export function Definitions() {
  const { t } = useTranslation();
  return (
    <details className={classes.definitions}>
      <summary>{t("reports.report.howCounted")}</summary>
      <p>{t("reports.report.asOfText")}</p>
      <dl>
        {totals.map((name) => (
          <Fragment key={name}>
            <dt>{t(`reports.report.figures.${name}`)}</dt>
            <dd>{t(`reports.report.definitions.${name}`)}</dd>
          </Fragment>
        ))}
      </dl>
      <p>{t("reports.report.period")}</p>
      <dl>
        {inPeriod.map((name) => (
          <Fragment key={name}>
            <dt>{t(`reports.report.figures.${name}`)}</dt>
            <dd>{t(`reports.report.definitions.${name}`)}</dd>
          </Fragment>
        ))}
      </dl>
    </details>
  );
}

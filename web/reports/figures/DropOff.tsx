import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { formatNumber } from "#web/core/format/format.ts";
import { Section } from "#web/core/layout/Section.tsx";
import classes from "#web/reports/figures/Bars.module.css";
import { useReportLink } from "#web/reports/figures/useReportLink.ts";
import type { Report } from "#shared/reports/reports.ts";
import { shareOf } from "#shared/core/percent.ts";

/** How far learners get: how many continued after each part, and how many stopped there. */
export function DropOff({ report: { figures, parts: titles } }: { report: Report }) {
  const { t } = useTranslation();
  const linkTo = useReportLink();
  const { parts, totals } = figures;
  const opened = parts[0]?.reached ?? 0;
  const steps = [
    {
      position: 0,
      reached: totals.assigned,
      stopped: totals.assigned - opened,
      title: t("reports.report.figures.assigned"),
    },
    ...parts.map((part) => ({ ...part, title: `${part.position} ${titles[part.position - 1] ?? ""}` })),
  ];
  const most = Math.max(...steps.map(({ stopped }) => stopped));
  const width = (count: number) => `${shareOf(count, totals.assigned) ?? 0}%`;
  return (
    <Section title={t("reports.report.dropOff")} side={t("reports.report.dropOffSide")}>
      <ol className={classes.parts}>
        {steps.map(({ position, reached, stopped, title }) => (
          <li key={position} className={classes.part} data-most={(stopped > 0 && stopped === most) || undefined}>
            <span className={classes.partName} title={title}>
              {title}
            </span>
            <span className={classes.track} aria-hidden>
              <span
                className={classes.went}
                style={{ width: width(reached - stopped) }}
                data-value={reached - stopped}
              />
              {stopped > 0 && (
                <span className={classes.stopped} style={{ width: width(stopped) }} data-value={stopped} />
              )}
            </span>
            <span className={classes.stop}>
              {stopped > 0 ? (
                <Link to={linkTo({ group: "assigned", stoppedAt: position })}>
                  {t(position === 0 ? "reports.report.notOpened" : "reports.report.stopped", {
                    n: formatNumber(stopped),
                  })}
                </Link>
              ) : (
                formatNumber(reached)
              )}
            </span>
          </li>
        ))}
        <li className={classes.part}>
          <span className={classes.partName}>{t("reports.report.figures.completed")}</span>
          <span className={classes.track} aria-hidden>
            <span className={classes.went} style={{ width: width(totals.completed) }} data-value={totals.completed} />
          </span>
          <span className={classes.stop}>
            <Link to={linkTo({ group: "completed" })}>{formatNumber(totals.completed)}</Link>
          </span>
        </li>
      </ol>
    </Section>
  );
}

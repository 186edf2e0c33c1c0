import { Trans, useTranslation } from "react-i18next";
import { Link } from "react-router";
import classes from "#web/paths/paths.module.css";
import type { PathDetail } from "#shared/paths/paths.ts";

type Props = { pathId: string; number: number; count: PathDetail["counts"][number] | undefined };

/** How far people are with a step; links to them. */
export function StepBar({ pathId, number, count }: Props) {
  const { t } = useTranslation();
  if (!count || count.people === 0) return null;
  const { stepId, done, inProgress, overdue, people } = count;
  const rest = [
    ...(inProgress > 0 ? [t("paths.editor.inProgress", { count: inProgress })] : []),
    ...(overdue > 0 ? [t("paths.editor.overdue", { count: overdue })] : []),
  ];
  const is = overdue > 0 ? "overdue" : "inProgress";
  const width = (part: number) => ({ inlineSize: `${(part / people) * 100}%` });
  return (
    <Link
      to={`/courses/paths/${pathId}?tab=learners&step=${stepId}&is=${is}`}
      className={classes.bar}
      aria-label={`${t("paths.editor.showPeople", { number })}: ${[
        t("paths.editor.donePlain", { done, people }),
        ...rest,
      ].join(", ")}`}
    >
      <span className={classes.track} aria-hidden>
        <span data-part="done" style={width(done)} />
        <span data-part="inProgress" style={width(inProgress)} />
        <span data-part="overdue" style={width(overdue)} />
      </span>
      <span className={classes.barText}>
        <span>
          <Trans i18nKey="paths.editor.doneOf" values={{ done, people }} components={{ strong: <strong /> }} />
        </span>
        {overdue > 0 && <span className={classes.bad}>{t("paths.editor.overdue", { count: overdue })}</span>}
      </span>
    </Link>
  );
}

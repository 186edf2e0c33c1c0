import { Progress, SegmentedControl } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { reasonOf } from "#web/completionRules/reasons.ts";
import classes from "#web/completionRules/rules.module.css";
import type { TriedRule } from "#web/completionRules/useTriedRule.ts";
import { pagedQueryFor } from "#web/core/api/api.ts";
import { Pill } from "#web/core/display/Pill.tsx";
import { StatTile, StatTiles } from "#web/core/display/StatTiles.tsx";
import { formatDate, formatNumber } from "#web/core/format/format.ts";
import { messageOf } from "#web/core/http/messages.ts";
import { TableFooter } from "#web/core/table/TableFooter.tsx";
import { completionRules, isWorking, type RuleChange } from "#shared/completionRules/ruleChanges.ts";
import type { CourseDetail } from "#shared/courses/courses.ts";

type Props = {
  course: CourseDetail;
  tried: TriedRule;
  isChanged: boolean;
  /** A field is empty or wrong. */
  isUnfinished: boolean;
  keeps: boolean;
};

/** Whom the rule that is being edited would complete, and who would no longer be. */
export function RuleEffect({ course, tried: { change, error }, isChanged, isUnfinished, keeps }: Props) {
  const { t } = useTranslation();
  const text = () => {
    if (!isChanged) return t("completionRules.unchanged");
    if (isUnfinished) return t("completionRules.unfinished");
    return error ? messageOf(error) : t("completionRules.counting");
  };
  const isCounted = change !== null && !isWorking(change.state) && !error && isChanged && !isUnfinished;
  return (
    <section aria-labelledby="effect">
      <p className="ly-hidden" role="status">
        {isCounted &&
          t("completionRules.said", { becomes: formatNumber(change.becomes), ends: formatNumber(change.ends) })}
      </p>
      <div className={classes.effectHead}>
        <h2 id="effect">{t("completionRules.effect")}</h2>
        {isCounted && (
          <p className={classes.hint}>
            {t("completionRules.counted", { count: change.events, events: formatNumber(change.events) })}
          </p>
        )}
      </div>
      {isCounted ? (
        <Counted key={change.id} change={change} course={course} keeps={keeps} />
      ) : (
        <div className={classes.waiting} data-bad={error ? true : undefined}>
          <p role={error ? "alert" : undefined}>{text()}</p>
          {isChanged && !isUnfinished && !error && (
            <Progress
              value={change && change.total > 0 ? (change.counted / change.total) * 100 : 0}
              aria-label={t("completionRules.progress")}
            />
          )}
        </div>
      )}
    </section>
  );
}

type CountedProps = { change: RuleChange; course: CourseDetail; keeps: boolean };

function Counted({ change, course, keeps }: CountedProps) {
  const { t } = useTranslation();
  const { total, completeBefore, becomes, ends, uncounted } = change;
  const then = completeBefore + becomes - (keeps ? 0 : ends);
  return (
    <>
      <StatTiles>
        <StatTile
          label={t("completionRules.figures.now")}
          value={formatNumber(completeBefore)}
          note={t("completionRules.figures.of", { of: formatNumber(total) })}
        />
        <StatTile label={t("completionRules.figures.becomes")} value={formatNumber(becomes)} />
        <StatTile
          label={t("completionRules.figures.ends")}
          value={formatNumber(ends)}
          note={ends > 0 ? t(keeps ? "completionRules.figures.stay" : "completionRules.figures.reopen") : undefined}
        />
        <StatTile label={t("completionRules.figures.then")} value={formatNumber(then)} />
      </StatTiles>
      {uncounted > 0 && <p className={classes.hint}>{t("completionRules.uncounted", { count: uncounted })}</p>}
      {becomes + ends > 0 ? (
        <ChangedRows change={change} kind={course.kind} />
      ) : (
        <p className={classes.past}>{t("completionRules.nobody")}</p>
      )}
    </>
  );
}

const SIZE = 25;

function ChangedRows({ change, kind }: { change: RuleChange; kind: CourseDetail["kind"] }) {
  const { t } = useTranslation();
  const [only, setOnly] = useState<"all" | "becomes" | "ends">("all");
  const [page, setPage] = useState(1);
  const { data, error } = useQuery(
    pagedQueryFor(completionRules.rows, {
      params: { id: change.id },
      query: { page, size: SIZE, ...(only !== "all" && { change: only }) },
    }),
  );
  const counts = { all: change.becomes + change.ends, becomes: change.becomes, ends: change.ends };
  return (
    <>
      <SegmentedControl
        mt={16}
        size="sm"
        aria-label={t("completionRules.show")}
        value={only}
        data={(["all", "becomes", "ends"] as const).map((value) => ({
          value,
          label: `${t(`completionRules.only.${value}`)} ${formatNumber(counts[value])}`,
        }))}
        onChange={(value) => {
          setOnly(value as typeof only);
          setPage(1);
        }}
      />
      {error && <p role="alert">{messageOf(error)}</p>}
      <table className={classes.rows} aria-busy={!data && !error}>
        <thead>
          <tr>
            <th scope="col">{t("completionRules.columns.learner")}</th>
            <th scope="col">{t("completionRules.columns.change")}</th>
            <th scope="col">{t("completionRules.columns.why")}</th>
            <th scope="col">{t("completionRules.columns.on")}</th>
          </tr>
        </thead>
        <tbody>
          {(data?.items ?? []).map((row) => (
            <tr key={row.enrolmentId}>
              <td>
                <Link to={`/learners/report/${row.userId}`}>{row.name}</Link>
                <span className={classes.company}>{row.company}</span>
              </td>
              <td>
                <Pill tone={row.change === "becomes" ? "ok" : "warn"}>{t(`completionRules.change.${row.change}`)}</Pill>
              </td>
              <td>{reasonOf(row, change.rule, kind)}</td>
              <td className={classes.day}>{row.happenedAt && formatDate(row.happenedAt)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {data && data.total > SIZE && (
        <TableFooter
          page={page}
          size={SIZE}
          total={data.total}
          noun={undefined}
          embedded
          onChange={(next) => setPage(next.page ?? 1)}
        />
      )}
      <p className={classes.hint}>{t("completionRules.dates")}</p>
    </>
  );
}

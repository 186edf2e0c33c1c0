import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { pagedQueryFor } from "#web/core/api/api.ts";
import { PersonMark } from "#web/core/brand/PersonMark.tsx";
import { useTimes } from "#web/core/format/TimeZone.tsx";
import { formatElapsed, formatNumber } from "#web/core/format/format.ts";
import { replayPath } from "#web/core/format/replayPath.ts";
import { ErrorPanel } from "#web/core/layout/ErrorPanel.tsx";
import { SkeletonRows } from "#web/core/layout/PageSkeleton.tsx";
import { SidePanel } from "#web/core/layout/SidePanel.tsx";
import { TableFooter } from "#web/core/table/TableFooter.tsx";
import classes from "#web/reports/course/Questions.module.css";
import type { ChosenAnswers } from "#web/reports/course/useChosenAnswers.ts";
import type { QuestionPerson } from "#shared/reports/questionFigures.ts";
import { reports } from "#shared/reports/reports.ts";
import { MASKED_VALUE } from "#shared/variables/variables.ts";

const PAGE_SIZE = 25;
type Props = {
  id: string;
  query: ChosenAnswers & { companyId?: string; groupId?: string };
  title: string;
  rightAnswer: string | null;
  onClose: () => void;
};

/** The people whom a figure of a question counts, each with the answer and a link to its second in the session. */
export function QuestionPeople({ id, query, title, rightAnswer, onClose }: Props) {
  const { t } = useTranslation();
  const times = useTimes();
  const [paging, setPaging] = useState({ page: 1, size: PAGE_SIZE });
  const { data, error, refetch } = useQuery(
    pagedQueryFor(reports.questionPeople, { params: { id }, query: { ...query, ...paging } }),
  );
  const nameOf = (row: QuestionPerson) => row.name || row.email || t("reports.report.erased", { number: row.person });
  const group = t(`reports.report.questions.groups.${query.group}`);
  const people = data && t("reports.report.questions.people", { count: data.total, n: formatNumber(data.total) });
  return (
    <SidePanel title={title} line={[group, people].filter(Boolean).join(": ")} onClose={onClose}>
      {rightAnswer && <p>{t("reports.report.questions.rightAnswer", { answer: rightAnswer })}</p>}
      {error && <ErrorPanel error={error} onRetry={() => void refetch()} />}
      {!data && !error && <SkeletonRows rows={6} />}
      <ul className={classes.people}>
        {data?.items.map((row) => (
          <li key={row.id}>
            <PersonMark name={nameOf(row)} size={28} />
            <div className={classes.person}>
              <div className={classes.name}>
                {row.userId ? <Link to={`/learners/report/${row.userId}`}>{nameOf(row)}</Link> : nameOf(row)}
                {row.sessionId && (
                  <Link to={replayPath(row.sessionId, row.t)} className={classes.replay}>
                    {row.t === null ? t("replay.link") : t("replay.linkAt", { time: formatElapsed(row.t) })}
                    <span className="ly-hidden">: {nameOf(row)}</span>
                  </Link>
                )}
              </div>
              <div>{row.response === MASKED_VALUE ? t("replay.variables.masked") : row.response || "–"}</div>
              <div className={classes.when}>
                {[row.company, times.dateTime(row.answeredAt)].filter(Boolean).join(", ")}
              </div>
            </div>
          </li>
        ))}
      </ul>
      {data && data.total > PAGE_SIZE && (
        <TableFooter
          {...paging}
          total={data.total}
          noun={t("reports.report.questions.peopleNoun")}
          onChange={({ page = 1, size = paging.size }) => setPaging({ page, size })}
          embedded
        />
      )}
    </SidePanel>
  );
}

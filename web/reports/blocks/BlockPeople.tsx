import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { pagedQueryFor } from "#web/core/api/api.ts";
import { PersonMark } from "#web/core/brand/PersonMark.tsx";
import { formatElapsed, formatNumber } from "#web/core/format/format.ts";
import { replayPath } from "#web/core/format/replayPath.ts";
import { useTimes } from "#web/core/format/TimeZone.tsx";
import { ErrorPanel } from "#web/core/layout/ErrorPanel.tsx";
import { SkeletonRows } from "#web/core/layout/PageSkeleton.tsx";
import { SidePanel } from "#web/core/layout/SidePanel.tsx";
import { TableFooter } from "#web/core/table/TableFooter.tsx";
import classes from "#web/reports/course/Questions.module.css";
import type { QueryOf } from "#shared/core/route.ts";
import type { BlockPerson } from "#shared/reports/blockFigures.ts";
import { reports } from "#shared/reports/reports.ts";

const PAGE_SIZE = 25;
type Props = {
  id: string;
  query: Omit<QueryOf<typeof reports.blockPeople>, "page" | "size">;
  title: string;
  onClose: () => void;
};

/** The people whom a figure of a block counts, each with a link to the second at which it came into view. */
export function BlockPeople({ id, query, title, onClose }: Props) {
  const { t } = useTranslation();
  const times = useTimes();
  const [paging, setPaging] = useState({ page: 1, size: PAGE_SIZE });
  const { data, error, refetch } = useQuery(
    pagedQueryFor(reports.blockPeople, { params: { id }, query: { ...query, ...paging } }),
  );
  const nameOf = (row: BlockPerson) => row.name || row.email || t("reports.report.erased", { number: row.person });
  const group = t(`reports.report.blocks.groups.${query.group}`);
  const people = data && t("reports.report.blocks.people", { count: data.total, n: formatNumber(data.total) });
  return (
    <SidePanel title={title} line={[group, people].filter(Boolean).join(": ")} onClose={onClose}>
      {error && <ErrorPanel error={error} onRetry={() => void refetch()} />}
      {!data && !error && <SkeletonRows rows={6} />}
      <ul className={classes.people}>
        {data?.items.map((row) => (
          <li key={row.id}>
            <PersonMark name={nameOf(row)} size={28} />
            <div className={classes.person}>
              <div className={classes.name}>
                {row.userId ? <Link to={`/learners/report/${row.userId}`}>{nameOf(row)}</Link> : nameOf(row)}
                <Link to={replayPath(row.sessionId, row.t)} className={classes.replay}>
                  {t("replay.linkAt", { time: formatElapsed(row.t) })}
                  <span className="ly-hidden">: {nameOf(row)}</span>
                </Link>
              </div>
              <div className={classes.when}>{[row.company, times.dateTime(row.seenAt)].filter(Boolean).join(", ")}</div>
            </div>
          </li>
        ))}
      </ul>
      {data && data.total > PAGE_SIZE && (
        <TableFooter
          {...paging}
          total={data.total}
          noun={t("reports.report.blocks.peopleNoun")}
          onChange={({ page = 1, size = paging.size }) => setPaging({ page, size })}
          embedded
        />
      )}
    </SidePanel>
  );
}

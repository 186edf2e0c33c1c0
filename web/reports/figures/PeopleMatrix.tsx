import { Table } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { pagedQueryFor } from "#web/core/api/api.ts";
import { WideContent } from "#web/core/display/WideContent.tsx";
import { EnrolmentStatus } from "#web/courses/EnrolmentStatus.tsx";
import { formatPercent } from "#web/core/format/format.ts";
import { ErrorPanel } from "#web/core/layout/ErrorPanel.tsx";
import { SkeletonRows } from "#web/core/layout/PageSkeleton.tsx";
import { SearchBox } from "#web/core/filter/SearchBox.tsx";
import { TableFooter } from "#web/core/table/TableFooter.tsx";
import classes from "#web/reports/figures/Report.module.css";
import type { ReportParams } from "#web/reports/figures/useReportLink.ts";
import { type Report, reports } from "#shared/reports/reports.ts";

const PAGE_SIZE = 25;

/** The learners of a company by their courses: one row for each, one column for each course. */
export function PeopleMatrix({
  id,
  report: { figures, names },
  query,
}: {
  id: string;
  report: Report;
  query: ReportParams;
}) {
  const { t } = useTranslation();
  const [list, setList] = useState({ page: 1, size: PAGE_SIZE, q: "" });
  const sent = { ...query, page: list.page, size: list.size, ...(list.q && { q: list.q }) };
  const { data, error, refetch } = useQuery(pagedQueryFor(reports.people, { params: { id }, query: sent }));
  if (error) return <ErrorPanel error={error} onRetry={() => void refetch()} />;
  const courses = figures.split
    .map(({ id: courseId }) => ({ id: courseId, name: names[courseId] ?? "–" }))
    .toSorted((a, b) => a.name.localeCompare(b.name));
  return (
    <>
      <div className={classes.filters}>
        <SearchBox
          label={t("reports.report.search")}
          value={list.q}
          onChange={(q) => setList({ ...list, q, page: 1 })}
        />
      </div>
      {!data && <SkeletonRows rows={8} />}
      {data && (
        <WideContent label={t("reports.report.views.matrix")}>
          <Table className={classes.matrix} highlightOnHover={false}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t("reports.report.columns.learner")}</Table.Th>
                {courses.map((course) => (
                  <Table.Th key={course.id}>
                    <span className={classes.matrixHead} title={course.name}>
                      {course.name}
                    </span>
                  </Table.Th>
                ))}
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {data.items.map((person) => {
                const name = person.name || t("reports.report.erased", { number: person.person });
                return (
                  <Table.Tr key={person.id}>
                    <Table.Td className={classes.name}>
                      {person.userId ? <Link to={`/learners/report/${person.userId}`}>{name}</Link> : name}
                    </Table.Td>
                    {courses.map((course) => {
                      const enrolment = person.courses.findLast(({ courseId }) => courseId === course.id);
                      if (!enrolment)
                        return (
                          <Table.Td key={course.id} c="dimmed">
                            –
                          </Table.Td>
                        );
                      return (
                        <Table.Td key={course.id}>
                          <EnrolmentStatus enrolment={enrolment}>
                            {enrolment.score === null ? undefined : formatPercent(enrolment.score)}
                          </EnrolmentStatus>
                        </Table.Td>
                      );
                    })}
                  </Table.Tr>
                );
              })}
            </Table.Tbody>
          </Table>
        </WideContent>
      )}
      {data && data.total > 0 && (
        <TableFooter
          page={list.page}
          size={list.size}
          total={data.total}
          noun={t("reports.report.learnersNoun")}
          onChange={({ page = 1, size = list.size }) => setList({ ...list, page, size })}
          embedded
        />
      )}
    </>
  );
}

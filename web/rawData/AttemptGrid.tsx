import { Button, Select } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { pagedQueryFor } from "#web/core/api/api.ts";
import { PersonMark } from "#web/core/brand/PersonMark.tsx";
import { formatDate } from "#web/core/format/format.ts";
import { EmptyState } from "#web/core/layout/EmptyState.tsx";
import { ErrorPanel } from "#web/core/layout/ErrorPanel.tsx";
import { SkeletonRows } from "#web/core/layout/PageSkeleton.tsx";
import { useIsPhone } from "#web/core/display/useIsPhone.ts";
import { PhoneList } from "#web/core/table/PhoneList.tsx";
import { TableFooter } from "#web/core/table/TableFooter.tsx";
import { TableTools } from "#web/core/table/TableTools.tsx";
import { useListState } from "#web/core/table/useListState.ts";
import { useCompanies } from "#web/courses/admin/useCompanies.ts";
import classes from "#web/rawData/AttemptGrid.module.css";
import { AttemptPanel } from "#web/rawData/AttemptPanel.tsx";
import { AttemptStatus } from "#web/rawData/AttemptStatus.tsx";
import { AttemptTable } from "#web/rawData/AttemptTable.tsx";
import { ColumnPicker } from "#web/rawData/ColumnPicker.tsx";
import { useAttemptColumns } from "#web/rawData/useAttemptColumns.ts";
import { useCourseChoices } from "#web/rawData/useRawDataChoices.ts";
import type { ValueTarget } from "#web/rawData/valueTarget.ts";
import { type AttemptValues, rawData } from "#shared/rawData/rawData.ts";

export type GridProps = { target: ValueTarget | null; onOpen: (target: ValueTarget) => void };

/** One row per attempt at a course; its variables are columns. */
export function AttemptGrid(props: GridProps) {
  const listState = useListState({ filters: ["courseId", "companyId"], sort: "-startedAt" });
  const { courseId } = listState.state.filters;
  if (!courseId) return <CourseChoice onChoose={(id) => listState.change({ filters: { courseId: id } })} />;
  return <Grid key={courseId} {...props} courseId={courseId} listState={listState} />;
}

function CourseChoice({ onChoose }: { onChoose: (id: string) => void }) {
  const { t } = useTranslation();
  const courses = useCourseChoices();
  return (
    <EmptyState
      title={t("rawData.grid.chooseCourse")}
      text={t("rawData.grid.chooseCourseText")}
      action={
        <Select
          searchable
          w={320}
          maw="100%"
          mx="auto"
          aria-label={t("rawData.grid.chooseCourse")}
          placeholder={t("rawData.grid.chooseCourse")}
          value={null}
          data={courses.map(({ id, title }) => ({ value: id, label: title }))}
          onChange={(id) => id && onChoose(id)}
        />
      }
    />
  );
}

type Props = GridProps & { courseId: string; listState: ReturnType<typeof useListState> };

function Grid({ courseId, listState, target, onOpen }: Props) {
  const { t } = useTranslation();
  const isPhone = useIsPhone();
  const courses = useCourseChoices();
  const companies = useCompanies();
  const columns = useAttemptColumns(courseId);
  const [attempt, setAttempt] = useState<AttemptValues | null>(null);
  const { state, change, clear } = listState;
  const { companyId } = state.filters;
  const { data, error, refetch, isPlaceholderData, isFetching } = useQuery({
    ...pagedQueryFor(rawData.attempts, {
      query: {
        courseId,
        ...(companyId && { companyId }),
        ...(state.q && { q: state.q }),
        variableIds: columns.shown.map(({ id }) => id).join(","),
        sort: state.sort as "-startedAt",
        page: state.page,
        size: state.size,
      },
    }),
    enabled: columns.all !== undefined,
  });
  const rows = data?.items;
  const total = data?.total ?? 0;
  const isNarrowed = state.q !== "" || companyId !== undefined;

  const renderRows = () => {
    if (error && !rows)
      return <ErrorPanel error={error} title={t("web.table.loadFailed")} onRetry={() => void refetch()} />;
    if (!rows) return <SkeletonRows rows={8} />;
    if (rows.length === 0)
      return isNarrowed ? (
        <p className={classes.nothing}>
          {t("web.table.noMatches")}{" "}
          <Button variant="subtle" onClick={() => change({ q: "", filters: { companyId: "" } })}>
            {t("web.table.clearFilters")}
          </Button>
        </p>
      ) : (
        <EmptyState title={t("rawData.none")} text={t("rawData.grid.noneText")} />
      );
    if (isPhone)
      return (
        <PhoneList
          rows={rows}
          columns={[]}
          rowKey={(row) => row.attemptId}
          name={(row) => row.learner || t("rawData.noLearner")}
          mark={(row) => <PersonMark name={row.learner} />}
          onOpen={setAttempt}
          phone={(row) => ({
            line: row.company,
            side: <AttemptStatus attempt={row} />,
            sideLine: formatDate(row.startedAt),
          })}
        />
      );
    return (
      <AttemptTable
        rows={rows}
        courseId={courseId}
        variables={columns.shown}
        sort={state.sort}
        onSort={(sort) => change({ sort })}
        target={target}
        onOpen={onOpen}
      />
    );
  };

  return (
    <div aria-busy={isFetching || columns.all === undefined}>
      <TableTools
        hasViews
        {...listState}
        clear={() => (companyId || state.q ? change({ q: "", filters: { companyId: "" } }) : clear())}
        search={t("rawData.grid.search")}
        filters={[
          {
            key: "courseId",
            label: t("rawData.course"),
            options: courses.map(({ id, title }) => ({ value: id, label: title })),
          },
          {
            key: "companyId",
            label: t("rawData.company"),
            options: companies.map(({ id, name }) => ({ value: id, label: name })),
          },
        ]}
        sorts={[
          { key: "learner", head: t("rawData.learner"), sort: true },
          { key: "startedAt", head: t("rawData.grid.started"), sort: true, descendingFirst: true },
        ]}
        total={data && total}
        columns={{ all: [], hidden: [], toggle: () => {} }}
        isPhone={isPhone}
        tools={!isPhone && <ColumnPicker columns={columns} />}
        onExport={undefined}
      />
      <div className={classes.body} data-stale={isPlaceholderData || undefined}>
        {renderRows()}
      </div>
      {rows && total > 0 && (
        <TableFooter page={state.page} size={state.size} total={total} noun={t("rawData.attempts")} onChange={change} />
      )}
      {attempt && isPhone && (
        <AttemptPanel
          attempt={attempt}
          courseId={courseId}
          variables={columns.shown}
          onOpen={onOpen}
          onClose={() => setAttempt(null)}
        />
      )}
    </div>
  );
}

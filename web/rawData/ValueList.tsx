import { UnstyledButton } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { PersonMark } from "#web/core/brand/PersonMark.tsx";
import { Num } from "#web/core/display/Num.tsx";
import { Time } from "#web/core/display/Time.tsx";
import { useIsPhone } from "#web/core/display/useIsPhone.ts";
import { DataTable } from "#web/core/table/DataTable.tsx";
import type { Filter } from "#web/core/filter/filter.ts";
import { useListState } from "#web/core/table/useListState.ts";
import { useCompanies } from "#web/courses/admin/useCompanies.ts";
import { ExportValues } from "#web/rawData/ExportValues.tsx";
import classes from "#web/rawData/rawData.module.css";
import { useCourseChoices, useVariableChoices } from "#web/rawData/useRawDataChoices.ts";
import { ValuePills, ValueWords } from "#web/rawData/ValueCell.tsx";
import { targetOfValue, type ValueTarget } from "#web/rawData/valueTarget.ts";
import { KeyText } from "#web/variables/KeyText.tsx";
import { valueText } from "#web/variables/valueText.ts";
import { rawData, type RawValue, valueSource } from "#shared/rawData/rawData.ts";

/** One row per value, newest first. */
export function ValueList({ onOpen }: { onOpen: (target: ValueTarget) => void }) {
  const { t } = useTranslation();
  const isPhone = useIsPhone();
  const filters = useValueFilters();
  const { state } = useListState({ filters: filters.map(({ key }) => key) });
  const nameOf = (row: RawValue) => row.learner || t("rawData.noLearner");
  const open = (row: RawValue) => {
    const target = targetOfValue(row);
    if (target) onOpen(target);
  };
  return (
    <DataTable
      hasViews
      list={rawData.list}
      search={t("rawData.search")}
      noun={t("rawData.values")}
      filters={filters}
      tools={<ExportValues filter={{ ...state.filters, ...(state.q && { q: state.q }) }} />}
      rowKey={(row) => String(row.id)}
      name={nameOf}
      mark={(row) => <PersonMark name={nameOf(row)} size={28} />}
      {...(isPhone ? { onOpen: open } : { to: reportOf })}
      columns={[
        {
          key: "learner",
          head: t("rawData.learner"),
          width: 200,
          render: (row) => (
            <>
              {nameOf(row)}
              <span className={classes.under}>{row.company}</span>
            </>
          ),
        },
        {
          key: "variable",
          head: t("rawData.variable"),
          render: (row) => (
            <>
              {row.label}
              <span className={classes.under}>
                <KeyText>{row.key}</KeyText>
              </span>
            </>
          ),
        },
        { key: "value", head: t("rawData.value"), render: (row) => <OpenValue row={row} onOpen={open} /> },
        {
          key: "previous",
          head: t("rawData.before"),
          minor: true,
          render: (row) =>
            row.previous === null ? <Num value={null} /> : <Clipped>{valueText(row.previous, row, t)}</Clipped>,
        },
        { key: "course", head: t("rawData.capturedIn"), minor: true, render: (row) => <Place row={row} /> },
        {
          key: "source",
          head: t("rawData.source"),
          minor: true,
          render: (row) => (
            <>
              {t(`rawData.sources.${row.source}`)}
              {row.passedFrom && (
                <span className={classes.under}>
                  <Clipped>{t("rawData.passedFrom", { label: row.passedFrom })}</Clipped>
                </span>
              )}
            </>
          ),
        },
        { key: "happened", head: t("rawData.happened"), render: (row) => <Time at={row.happenedAt} focusable /> },
      ]}
      phone={(row) => ({
        line: [row.label, row.course].filter(Boolean).join(", "),
        side: (
          <Clipped>
            <ValueWords value={row} />
          </Clipped>
        ),
        sideLine: <Time at={row.happenedAt} />,
        extra: (
          <span className={classes.pills}>
            <ValuePills value={row} />
          </span>
        ),
      })}
      empty={{ title: t("rawData.none"), text: t("rawData.noneText") }}
    />
  );
}

const reportOf = ({ userId }: RawValue) => (userId ? `/learners/report/${userId}` : "");

const Clipped = ({ children }: { children: React.ReactNode }) => <span className={classes.clip}>{children}</span>;

function OpenValue({ row, onOpen }: { row: RawValue; onOpen: (row: RawValue) => void }) {
  const { t } = useTranslation();
  const words = (
    <Clipped>
      <ValueWords value={row} />
    </Clipped>
  );
  return (
    <span className={classes.value}>
      {targetOfValue(row) ? (
        <UnstyledButton
          className={classes.open}
          aria-label={t("rawData.openHistory", {
            value: row.privacy === "sensitive" ? t("rawData.masked") : valueText(row.value, row, t),
            variable: row.label,
            learner: row.learner || row.company,
          })}
          onClick={() => onOpen(row)}
        >
          {words}
        </UnstyledButton>
      ) : (
        words
      )}
      <ValuePills value={row} />
    </span>
  );
}

/** Course, and below it version, attempt and part. */
function Place({ row }: { row: RawValue }) {
  const { t } = useTranslation();
  const details = [
    row.courseVersion !== null && t("rawData.version", { number: row.courseVersion }),
    row.attempt !== null && t("rawData.attempt", { number: row.attempt }),
    row.part !== row.course && row.part,
  ].filter(Boolean);
  if (row.course === "") return <Num value={null} />;
  return (
    <>
      <Clipped>{row.course}</Clipped>
      <span className={classes.under}>
        <Clipped>{details.join(", ")}</Clipped>
      </span>
    </>
  );
}

function useValueFilters(): Filter[] {
  const { t } = useTranslation();
  const companies = useCompanies();
  const courses = useCourseChoices();
  const variables = useVariableChoices() ?? [];
  return [
    {
      key: "companyId",
      label: t("rawData.company"),
      options: companies.map(({ id, name }) => ({ value: id, label: name })),
    },
    {
      key: "courseId",
      label: t("rawData.course"),
      options: courses.map(({ id, title }) => ({ value: id, label: title })),
    },
    {
      key: "variableId",
      label: t("rawData.variable"),
      options: variables.map(({ id, label }) => ({ value: id, label })),
    },
    {
      key: "source",
      isRare: true,
      label: t("rawData.source"),
      options: valueSource.options.map((value) => ({ value, label: t(`rawData.sources.${value}`) })),
    },
    { key: "from", label: t("rawData.from"), kind: "day", isRare: true },
    { key: "to", label: t("rawData.to"), kind: "day", isRare: true },
    {
      key: "preview",
      isRare: true,
      label: t("rawData.previews"),
      unset: t("rawData.only.previewsNo"),
      options: [{ value: "yes", label: t("rawData.only.previewsYes") }],
    },
    {
      key: "deleted",
      isRare: true,
      label: t("rawData.deleted"),
      unset: t("rawData.only.deletedNo"),
      options: [{ value: "yes", label: t("rawData.only.deletedYes") }],
    },
    { key: "contains", label: t("rawData.contains"), isRare: true },
  ];
}

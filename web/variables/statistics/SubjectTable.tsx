import { IconLock } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { Num } from "#web/core/display/Num.tsx";
import { Time } from "#web/core/display/Time.tsx";
import { PersonMark } from "#web/core/brand/PersonMark.tsx";
import { DataTable } from "#web/core/table/DataTable.tsx";
import { Trend } from "#web/variables/statistics/Trend.tsx";
import { valueText } from "#web/variables/valueText.ts";
import variableClasses from "#web/variables/variables.module.css";
import { type Variable, variables } from "#shared/variables/variables.ts";
import type { SubjectValue, VariableStatistics } from "#shared/variables/variableFigures.ts";
import type { VariableValue } from "#shared/variables/variableTypes.ts";

/** The current value of every learner, attempt or company. */
export function SubjectTable({ variable, statistics }: { variable: Variable; statistics: VariableStatistics }) {
  const { t } = useTranslation();
  const isMasked = variable.privacy === "sensitive";
  const isFreeText = variable.type === "text" || variable.type === "json";
  const isMeasured = variable.type === "number" || variable.type === "duration";
  const show = (value: VariableValue) =>
    isMasked ? (
      <span className={variableClasses.note}>
        <IconLock size={15} stroke={1.7} aria-hidden /> {t("variables.page.masked")}
      </span>
    ) : (
      valueText(value, variable, t)
    );
  return (
    <DataTable
      list={variables.values}
      params={{ id: variable.id }}
      prefix="v."
      sort="-lastAt"
      search={t("variables.page.searchValues")}
      rowKey={(row) => row.subject}
      name={(row) => row.name}
      {...(variable.scope !== "company" && {
        to: (row: SubjectValue) => `/learners/report/${row.userId}`,
        mark: (row: SubjectValue) => <PersonMark name={row.name} />,
      })}
      columns={[
        { key: "name", head: t("variables.page.name"), sort: true },
        { key: "company", head: t("variables.page.company"), minor: true, render: (row) => row.company },
        { key: "first", head: t("variables.page.firstValue"), minor: true, render: (row) => show(row.first) },
        {
          key: "value",
          head: t("variables.page.latestValue"),
          ...(isMeasured && { sort: true, descendingFirst: true }),
          render: (row) => <strong>{show(row.current)}</strong>,
        },
        ...(isMeasured
          ? [
              {
                key: "recent",
                head: t("variables.page.overTime"),
                minor: true,
                render: (row: SubjectValue) => <Trend values={row.recent} range={[statistics.min, statistics.max]} />,
              },
            ]
          : []),
        { key: "count", head: t("variables.values"), align: "right", render: (row) => <Num value={row.count} /> },
        {
          key: "lastAt",
          head: t("variables.lastValue"),
          sort: true,
          descendingFirst: true,
          render: (row) => <Time at={row.lastAt} />,
        },
      ]}
      phone={(row) => ({
        line: row.company,
        sideLine: <Time at={row.lastAt} />,
        ...(isFreeText && !isMasked ? { extra: show(row.current) } : { side: show(row.current) }),
      })}
      empty={{ title: t("variables.page.empty"), text: t("variables.page.emptyText") }}
    />
  );
}

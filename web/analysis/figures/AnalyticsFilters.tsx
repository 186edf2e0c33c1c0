import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import classes from "#web/analysis/analysis.module.css";
import type { useAnalyticsFilter } from "#web/analysis/figures/useAnalyticsFilter.ts";
import { addDays, daysBetween } from "#shared/core/dates.ts";
import { modelName } from "#web/connectors/modelName.ts";
import { queryFor } from "#web/core/api/api.ts";
import { PeriodFilter } from "#web/core/filter/PeriodFilter.tsx";
import { FilterBar } from "#web/core/filter/FilterBar.tsx";
import { FilterMenu } from "#web/core/filter/FilterMenu.tsx";
import { SavedViews } from "#web/core/views/SavedViews.tsx";
import { analyticsPeriods as periods, defaultPeriods } from "#shared/core/periods.ts";
import { NONE } from "#shared/analysis/conversationAnalytics.ts";
import { chatbots } from "#shared/chatbots/chatbots.ts";
import { companies } from "#shared/companies/companies.ts";
import { courses } from "#shared/courses/courses.ts";

type Props = ReturnType<typeof useAnalyticsFilter> & {
  /** Options besides the selected model. */
  models?: string[];
};

/** Period, chatbot, company, course and model. */
export function AnalyticsFilters({ filter, change, models = [] }: Props) {
  const { t } = useTranslation();
  const all = { query: { size: 200 } };
  const bots = useQuery(queryFor(chatbots.list, all)).data?.items ?? [];
  const tenants = useQuery(queryFor(companies.choices)).data?.items ?? [];
  const lessons = useQuery(queryFor(courses.choices)).data?.items ?? [];
  const length = daysBetween(filter.from, filter.to) + 1;
  const choices = [
    { key: "chatbotId", label: t("analysis.analytics.chatbot"), options: bots.map(({ id, name }) => [id, name]) },
    {
      key: "companyId",
      label: t("analysis.analytics.company"),
      options: [...tenants.map(({ id, name }) => [id, name]), [NONE, t("analysis.analytics.noCompany")]],
    },
    {
      key: "courseId",
      label: t("analysis.analytics.course"),
      options: [...lessons.map(({ id, title }) => [id, title]), [NONE, t("analysis.analytics.noCourse")]],
    },
    {
      key: "model",
      label: t("analysis.analytics.model"),
      options: [...new Set([...(filter.model ? [filter.model] : []), ...models])].map((model) => [
        model,
        modelName(model, t),
      ]),
    },
  ] as const;
  return (
    <FilterBar
      from={filter.from}
      to={filter.to}
      isNarrowed={choices.some(({ key }) => filter[key] !== undefined)}
      className={classes.filters}
    >
      <PeriodFilter
        from={filter.from}
        to={filter.to}
        presets={periods.map((days) => ({ days, label: t(`analysis.analytics.days.${days}`) }))}
        preset={periods.find((days) => days === length) ?? null}
        onPreset={(days) => change({ from: addDays(filter.to, 1 - days) })}
        onChange={change}
        onClear={length === defaultPeriods.analytics ? undefined : () => change({ from: "", to: "" })}
      />
      {choices.map(({ key, label, options }) => (
        <FilterMenu
          key={key}
          filter={{ key, label, options: options.map(([value = "", name = ""]) => ({ value, label: name })) }}
          value={filter[key] ?? ""}
          onChange={(value) => change({ [key]: value })}
        />
      ))}
      <SavedViews align="start" />
      <span className={classes.zone}>{t("analysis.analytics.zone", { zone: filter.zone.replaceAll("_", " ") })}</span>
    </FilterBar>
  );
}

import { Button, SegmentedControl } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { useSearchParams } from "react-router";
import { pagedQueryFor } from "#web/core/api/api.ts";
import { EmptyState } from "#web/core/layout/EmptyState.tsx";
import { ErrorPanel } from "#web/core/layout/ErrorPanel.tsx";
import { FilterMenu } from "#web/core/filter/FilterMenu.tsx";
import { FilterSheet } from "#web/core/table/FilterSheet.tsx";
import { Heading } from "#web/core/layout/Heading.tsx";
import { useListState } from "#web/core/table/useListState.ts";
import { SkeletonRows } from "#web/core/layout/PageSkeleton.tsx";
import { SearchBox } from "#web/core/filter/SearchBox.tsx";
import { TableFooter } from "#web/core/table/TableFooter.tsx";
import { useBrowserZone } from "#web/core/format/zone.ts";
import { useIsPhone } from "#web/core/display/useIsPhone.ts";
import { EventList } from "#web/events/public/EventList.tsx";
import classes from "#web/events/public/EventsPage.module.css";
import { FeedMenu } from "#web/events/public/FeedMenu.tsx";
import { monthSpan, readMonth } from "#web/events/public/monthDays.ts";
import { MonthView } from "#web/events/public/MonthView.tsx";
import { PublicPage } from "#web/events/public/PublicPage.tsx";
import publicClasses from "#web/events/public/PublicPage.module.css";
import { languageName } from "#web/core/format/languageName.ts";
import { attendanceMode } from "#shared/events/eventPhases.ts";
import { events } from "#shared/events/events.ts";

const PAGE_SIZE = 20;
const MONTH_SIZE = 200;

/** /events: upcoming or past events as a list or by month. All filters are in the URL. */
export function EventsPage() {
  const { t } = useTranslation();
  const phone = useIsPhone();
  const [params, setParams] = useSearchParams();
  const { state, change, clear, filtered } = useListState({
    filters: ["category", "mode", "language"],
    size: PAGE_SIZE,
  });
  const past = params.get("when") === "past";
  const byMonth = params.get("view") === "month";
  const month = readMonth(params.get("month"));
  const { days, from, to } = monthSpan(month);
  const timezone = useBrowserZone();

  const filterQuery = {
    q: state.q,
    category: state.filters.category,
    mode: attendanceMode.safeParse(state.filters.mode).data,
    language: state.filters.language,
  };
  const query = byMonth
    ? { ...filterQuery, from, to, timezone: timezone ?? undefined, size: MONTH_SIZE }
    : { ...filterQuery, when: past ? ("past" as const) : ("upcoming" as const), page: state.page, size: PAGE_SIZE };
  const { data, error, refetch, isPlaceholderData, isFetching } = useQuery({
    ...pagedQueryFor(events.list, { query }),
    enabled: !byMonth || timezone !== null,
  });

  const navigateTo = (next: Record<string, string | null>) =>
    setParams(
      (before) => {
        const after = new URLSearchParams(before);
        for (const [key, value] of Object.entries({ page: null, ...next })) {
          if (value === null) after.delete(key);
          else after.set(key, value);
        }
        return after;
      },
      { preventScrollReset: true },
    );

  const filters = [
    {
      key: "category",
      label: t("events.category"),
      options: (data?.categories ?? []).map((value) => ({ value, label: value })),
    },
    {
      key: "mode",
      label: t("events.where"),
      options: attendanceMode.options.map((value) => ({ value, label: t(`events.mode.${value}`) })),
    },
    {
      key: "language",
      label: t("events.language"),
      options: (data?.languages ?? []).map((value) => ({ value, label: languageName(value) })),
    },
  ].filter(({ key, options }) => options.length > 1 || state.filters[key]);

  const rows = data?.items;
  const body = () => {
    if (error && !rows)
      return <ErrorPanel error={error} title={t("events.listFailed")} onRetry={() => void refetch()} />;
    if (!rows) return <SkeletonRows rows={5} />;
    if (byMonth)
      return (
        <MonthView
          events={rows}
          days={days}
          month={month}
          phone={phone}
          onMonth={(next) => navigateTo({ month: next })}
        />
      );
    if (rows.length > 0) return <EventList events={rows} past={past} />;
    if (filtered)
      return (
        <p className={classes.nothing}>
          {t("web.table.noMatches")}{" "}
          <Button variant="subtle" onClick={clear}>
            {t("web.table.clearFilters")}
          </Button>
        </p>
      );
    return (
      <EmptyState
        title={t(past ? "events.nonePast" : "events.none")}
        text={t(past ? "events.nonePastText" : "events.noneText")}
        action={
          !past && (
            <Button variant="default" onClick={() => navigateTo({ when: "past" })}>
              {t("events.seePast")}
            </Button>
          )
        }
      />
    );
  };

  return (
    <PublicPage>
      <header className={classes.head}>
        <div>
          <Heading className={publicClasses.title}>{t("events.title")}</Heading>
          <p className={publicClasses.lead}>{t("events.lead")}</p>
        </div>
        <FeedMenu />
      </header>
      <div className={classes.tools}>
        <SearchBox label={t("events.search")} value={state.q} onChange={(q) => change({ q })} />
        {/* Renders both and hides one by CSS, because the server does not know the width of the screen. */}
        <div className={classes.narrow}>
          <FilterSheet filters={filters} sorts={[]} state={state} change={change} clear={clear} total={data?.total}>
            {null}
          </FilterSheet>
        </div>
        <div className={classes.wide}>
          {filters.map((filter) => (
            <FilterMenu
              key={filter.key}
              filter={filter}
              value={state.filters[filter.key] ?? ""}
              onChange={(value) => change({ filters: { [filter.key]: value } })}
            />
          ))}
        </div>
        <div className={classes.views}>
          {!byMonth && (
            <SegmentedControl
              aria-label={t("events.when")}
              value={past ? "past" : "upcoming"}
              onChange={(value) => navigateTo({ when: value === "past" ? value : null })}
              data={[
                { value: "upcoming", label: t("events.upcoming") },
                { value: "past", label: t("events.past") },
              ]}
            />
          )}
          <SegmentedControl
            aria-label={t("events.view")}
            value={byMonth ? "month" : "list"}
            onChange={(value) => navigateTo(value === "month" ? { view: value } : { view: null, month: null })}
            data={[
              { value: "list", label: t("events.list") },
              { value: "month", label: t("events.month") },
            ]}
          />
        </div>
      </div>
      <div className={classes.body} data-stale={isPlaceholderData || undefined} aria-busy={isFetching}>
        {body()}
      </div>
      {rows && !byMonth && data.total > PAGE_SIZE && (
        <TableFooter page={state.page} size={PAGE_SIZE} total={data.total} noun={t("events.noun")} onChange={change} />
      )}
      <p role="status" className="ly-hidden">
        {rows && t("events.count", { count: data.total })}
      </p>
    </PublicPage>
  );
}

import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { CatalogueCard } from "#web/catalogue/CatalogueCard.tsx";
import classes from "#web/catalogue/catalogue.module.css";
import { pagedQueryFor } from "#web/core/api/api.ts";
import { FilterMenu } from "#web/core/filter/FilterMenu.tsx";
import { SearchBox } from "#web/core/filter/SearchBox.tsx";
import { languageName } from "#web/core/format/languageName.ts";
import { EmptyState } from "#web/core/layout/EmptyState.tsx";
import { ErrorPanel } from "#web/core/layout/ErrorPanel.tsx";
import { PageHead } from "#web/core/layout/PageHead.tsx";
import { SkeletonRows } from "#web/core/layout/PageSkeleton.tsx";
import { TableFooter } from "#web/core/table/TableFooter.tsx";
import { useListState } from "#web/core/table/useListState.ts";
import { catalogue, lengthFilter } from "#shared/catalogue/catalogue.ts";

const SIZE = 24;
const FILTERS = ["length", "language", "notMine", "startable"];

/** The courses that a learner can take or ask for. */
export function CataloguePage() {
  const { t } = useTranslation();
  const { state, change, clear, filtered } = useListState({ filters: FILTERS, size: SIZE });
  const { q, page, size, filters } = state;
  const query = { ...(q && { q }), ...filters, page, size };
  const { data, error, refetch } = useQuery(pagedQueryFor(catalogue.browse, { query }));
  const set = (key: string, value: string) => change({ filters: { [key]: value } });
  const toggle = (key: "notMine" | "startable") => (
    <Button
      variant="default"
      fw={500}
      className={classes.toggle}
      aria-pressed={filters[key] === "true"}
      onClick={() => set(key, filters[key] === "true" ? "" : "true")}
    >
      {t(`catalogue.${key}`)}
    </Button>
  );
  const renderList = () => {
    if (!data) {
      if (error) return <ErrorPanel error={error} title={t("web.table.loadFailed")} onRetry={() => void refetch()} />;
      return <SkeletonRows rows={6} />;
    }
    if (data.total === 0 && !filtered)
      return <EmptyState title={t("catalogue.empty")} text={t("catalogue.emptyText")} />;
    if (data.total === 0)
      return (
        <EmptyState
          title={t("catalogue.nothing")}
          text={t("catalogue.nothingText")}
          action={
            <Button variant="default" onClick={clear}>
              {t("catalogue.clear")}
            </Button>
          }
        />
      );
    return (
      <>
        {data.isNearest && <p className={classes.nearest}>{t("catalogue.nearest", { q })}</p>}
        <ul className={classes.cards}>
          {data.items.map((course) => (
            <CatalogueCard key={course.id} course={course} />
          ))}
        </ul>
        {data.total > SIZE && (
          <TableFooter
            page={page}
            size={size}
            total={data.total}
            noun={t("catalogue.admin.offered")}
            onChange={change}
          />
        )}
      </>
    );
  };
  return (
    <>
      <PageHead title={t("catalogue.title")} line={t("catalogue.lead")} />
      <div className={classes.filters} role="search" aria-label={t("catalogue.title")}>
        <SearchBox label={t("catalogue.searchLabel")} value={q} onChange={(next) => change({ q: next })} />
        <FilterMenu
          filter={{
            key: "length",
            label: t("catalogue.length"),
            options: lengthFilter.options.map((value) => ({ value, label: t(`catalogue.lengths.${value}`) })),
          }}
          value={filters["length"] ?? ""}
          onChange={(value) => set("length", value)}
        />
        {(data?.languages.length ?? 0) > 0 && (
          <FilterMenu
            filter={{
              key: "language",
              label: t("catalogue.language"),
              options: (data?.languages ?? []).map((value) => ({ value, label: languageName(value) })),
            }}
            value={filters["language"] ?? ""}
            onChange={(value) => set("language", value)}
          />
        )}
        {toggle("notMine")}
        {toggle("startable")}
        {data && data.total > 0 && (
          <span className={classes.count} role="status">
            {t("catalogue.count", { count: data.total })}
          </span>
        )}
      </div>
      {renderList()}
    </>
  );
}

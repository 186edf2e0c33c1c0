import { NativeSelect, Pagination } from "@mantine/core";
import { useTranslation } from "react-i18next";
import classes from "#web/core/table/DataTable.module.css";
import { formatNumber } from "#web/core/format/format.ts";

type Props = {
  page: number;
  size: number;
  total: number;
  /** There are more rows than `total`. */
  isMore?: boolean | undefined;
  noun: string | undefined;
  onChange: (change: { page?: number; size?: number }) => void;
  /** The list is one of several on its page: another page of it does not scroll to the top. */
  embedded?: boolean;
};

const sizes = [25, 50, 100, 200];

/** The footer of a list: "1 to 25 of 340 companies", page size and pages. `noun` is a plural, so one row has none. */
export function TableFooter({ page, size, total, isMore, noun, onChange, embedded = false }: Props) {
  const { t } = useTranslation();
  const from = Math.min((page - 1) * size + 1, total);
  const range = {
    from: formatNumber(from),
    to: formatNumber(Math.min(page * size, total)),
    total: formatNumber(total),
  };
  const goToPage = (next: number) => {
    onChange({ page: next });
    if (!embedded) scrollTo({ top: 0 });
  };
  return (
    <div className={classes.foot}>
      <span>
        {total === 1 ? t("web.table.single") : t(isMore ? "web.table.rangeOfMore" : "web.table.range", range)}
        {total !== 1 && noun && ` ${noun}`}
      </span>
      {total > 25 && (
        <NativeSelect
          size="xs"
          aria-label={t("web.table.perPage")}
          value={String(size)}
          onChange={(event) => onChange({ size: Number(event.currentTarget.value) })}
          data={[...new Set([size, ...sizes])]
            .toSorted((a, b) => a - b)
            .map((n) => ({ value: String(n), label: t("web.table.pageSize", { count: n }) }))}
        />
      )}
      <Pagination
        role="group"
        aria-label={t("web.table.pages")}
        className={classes.pages}
        size={26}
        gap={6}
        value={page}
        onChange={goToPage}
        total={Math.max(1, Math.ceil(total / size))}
        getControlProps={(control) => {
          const label = t(control === "previous" ? "web.table.previous" : "web.table.next");
          return { "aria-label": label, title: label };
        }}
        getItemProps={(n) => ({ "aria-label": t("web.table.page", { page: n }) })}
      />
    </div>
  );
}

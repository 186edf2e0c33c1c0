import { useTranslation } from "react-i18next";
import { formatDate } from "#web/core/format/format.ts";
import { Num } from "#web/core/display/Num.tsx";
import classes from "#web/privacy/StoredDataTable.module.css";
import type { Holding } from "#shared/privacy/privacy.ts";

/** Stored data by category, with row counts and what an erasure does. On a phone each category takes two lines. */
export function StoredDataTable({ holdings }: { holdings: Holding[] }) {
  const { t } = useTranslation();
  return (
    <table className={classes.list} role="table">
      <thead role="rowgroup">
        <tr role="row">
          <th role="columnheader">{t("privacy.data.category")}</th>
          <th role="columnheader" className={classes.count}>
            {t("privacy.data.count")}
          </th>
          <th role="columnheader">{t("privacy.data.onErasure")}</th>
        </tr>
      </thead>
      <tbody role="rowgroup">
        {holdings.map(({ key, what, rows, fate, why, until }) => (
          <tr key={key} role="row">
            <td role="cell">{what}</td>
            <td role="cell" className={classes.count}>
              <Num value={rows} />
            </td>
            <td role="cell" className={classes.outcome}>
              {t(`privacy.fate.${fate}`, { until: until ? formatDate(until) : "" })}
              {fate !== "delete" && <span className={classes.reason}>{why}</span>}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

import { useSuspenseQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { queryFor } from "#web/core/api/api.ts";
import { StoredDataTable } from "#web/privacy/StoredDataTable.tsx";
import classes from "#web/privacy/StoredData.module.css";
import { fate, privacy } from "#shared/privacy/privacy.ts";

/** The data that is stored about the user, grouped by what happens to it when they delete their data. */
export function StoredData() {
  const { t } = useTranslation();
  const { data } = useSuspenseQuery(queryFor(privacy.preview));
  return fate.options.map((kind) => {
    const holdings = data.holdings.filter((holding) => holding.fate === kind);
    if (holdings.length === 0) return null;
    const entries = holdings.reduce((sum, { rows }) => sum + rows, 0);
    return (
      <details key={kind} className={classes.group}>
        <summary>
          <span className={classes.name}>{t(`privacy.groups.${kind}`)}</span>
          <span className={classes.count}>{t("privacy.groups.count", { count: entries })}</span>
        </summary>
        <StoredDataTable holdings={holdings} />
      </details>
    );
  });
}

import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useAnalyticsFilter } from "#web/analysis/figures/useAnalyticsFilter.ts";
import { download } from "#web/core/api/download.ts";
import { urlOf } from "#web/core/http/http.ts";
import { ExportMenu } from "#web/core/display/ExportMenu.tsx";
import { toast } from "#web/core/toast/toast.ts";
import { analyticsRows } from "#shared/analysis/conversationAnalytics.ts";

/** Saves the tables of the page, with its filter, as CSV or XLSX. */
export function AnalyticsExport() {
  const { t } = useTranslation();
  const { filter } = useAnalyticsFilter();
  const [isBusy, setBusy] = useState(false);
  const save = async (format: "csv" | "xlsx") => {
    setBusy(true);
    const url = urlOf(analyticsRows.export, { query: { ...filter, format } });
    await download(url, `conversation-analytics.${format}`)
      .then((count) => toast.done(t("analysis.analytics.exported", { count })))
      .catch((error: unknown) => toast.failed(error))
      .finally(() => setBusy(false));
  };
  return (
    <ExportMenu
      label={t("analysis.analytics.export")}
      formats={{ csv: t("analysis.analytics.csv"), xlsx: t("analysis.analytics.xlsx") }}
      save={save}
      isBusy={isBusy}
    />
  );
}

import { useTranslation } from "react-i18next";
import { download } from "#web/core/api/download.ts";
import { urlOf } from "#web/core/api/http.ts";
import { ExportMenu } from "#web/core/display/ExportMenu.tsx";
import { formatNumber } from "#web/core/format/format.ts";
import { toast } from "#web/core/toast/toast.ts";
import { reports } from "#shared/reports.ts";

/** The courses of a learner's report as a file. */
export function LearnerExport({ id, className }: { id: string; className: string | undefined }) {
  const { t } = useTranslation();
  const save = (format: "csv" | "xlsx") =>
    download(urlOf(reports.learnerExport, { params: { id }, query: { format } }), `learner-report.${format}`)
      .then((rows) => toast.done(t("reports.learner.exported", { count: rows, n: formatNumber(rows) })))
      .catch((error: unknown) => toast.failed(error));
  return (
    <ExportMenu
      label={t("reports.report.export")}
      formats={{ csv: t("reports.learner.exportCsv"), xlsx: t("reports.learner.exportXlsx") }}
      save={save}
      className={className}
    />
  );
}

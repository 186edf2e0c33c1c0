import { Button } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { useSearchParams } from "react-router";
import { useQuery } from "@tanstack/react-query";
import { queryFor } from "#web/core/api/api.ts";
import { download } from "#web/core/api/download.ts";
import { urlOf } from "#web/core/http/http.ts";
import { formatDateTime, formatNumber } from "#web/core/format/format.ts";
import { PageHead } from "#web/core/layout/PageHead.tsx";
import { DataTable } from "#web/core/table/DataTable.tsx";
import { toast } from "#web/core/toast/toast.ts";
import { ReportCheck } from "#web/reports/issued/ReportCheck.tsx";
import type { IssuedReport } from "#shared/reports/issuedReports.ts";
import { reports } from "#shared/reports/reports.ts";

/** The issued reports. `?number=R-2026-00012`, as printed on a PDF, opens the check of that report. */
export function IssuedReportsPage() {
  const { t } = useTranslation();
  const [params, setParams] = useSearchParams();
  const number = params.get("number") ?? "";
  const numberSearch = useQuery({
    ...queryFor(reports.issued, { query: { q: number, size: 1 } }),
    enabled: number !== "",
  });
  const chosen = numberSearch.data?.items.find((one) => one.number === number);
  const savePdf = (row: IssuedReport) =>
    download(urlOf(reports.pdf, { params: { id: row.id } }), `${row.number}.pdf`).catch((error: unknown) =>
      toast.failed(error),
    );
  const check = (row: IssuedReport) => setParams({ number: row.number }, { preventScrollReset: true });

  return (
    <>
      <PageHead title={t("reports.issued.title")} line={t("reports.issued.line")} />
      {chosen && (
        <ReportCheck key={chosen.id} id={chosen.id} onClose={() => setParams({}, { preventScrollReset: true })} />
      )}
      {number !== "" && numberSearch.data && !chosen && <p role="alert">{t("reports.issued.unknown", { number })}</p>}
      <DataTable<IssuedReport>
        list={reports.issued}
        search={t("reports.issued.search")}
        rowKey={(row) => row.id}
        name={(row) => row.number}
        onOpen={check}
        columns={[
          { key: "number", head: t("reports.issued.number"), width: 140 },
          {
            key: "title",
            head: t("reports.issued.report"),
            render: (row) => `${t(`reports.report.${row.kind}`)}: ${row.title}`,
          },
          { key: "asOf", head: t("reports.report.asOf"), render: (row) => formatDateTime(row.asOf) },
          {
            key: "rows",
            head: t("reports.report.figures.assigned"),
            align: "right",
            render: (row) => formatNumber(row.rows),
          },
          { key: "issuedAt", head: t("reports.issued.at"), render: (row) => formatDateTime(row.issuedAt), minor: true },
          { key: "issuedBy", head: t("reports.issued.by"), render: (row) => row.issuedBy ?? "–", minor: true },
          {
            key: "pdf",
            head: "",
            align: "right",
            render: (row) => (
              <Button variant="subtle" size="xs" onClick={() => void savePdf(row)}>
                {t("reports.issued.pdf")}
                <span className="ly-hidden"> {row.number}</span>
              </Button>
            ),
          },
        ]}
        phone={(row) => ({ line: row.title, side: formatNumber(row.rows), sideLine: formatDateTime(row.asOf) })}
        noun={t("reports.issued.noun")}
        empty={{ title: t("reports.issued.none"), text: t("reports.issued.noneText") }}
      />
    </>
  );
}

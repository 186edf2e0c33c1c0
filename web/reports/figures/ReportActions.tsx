import { Button, Menu } from "@mantine/core";
import { IconFileCertificate } from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, useSearchParams } from "react-router";
import { useApiMutation } from "#web/core/api/api.ts";
import { download } from "#web/core/api/download.ts";
import { urlOf } from "#web/core/http/http.ts";
import { ExportMenu } from "#web/core/display/ExportMenu.tsx";
import { formatNumber } from "#web/core/format/format.ts";
import { toast } from "#web/core/toast/toast.ts";
import type { ReportKind } from "#shared/reports/reportFigures.ts";
import type { ReportParams } from "#web/reports/figures/useReportLink.ts";
import { isAdmin } from "#shared/core/users.ts";
import { useUser } from "#web/core/session/session.tsx";
import { reports } from "#shared/reports/reports.ts";

const LIST_PARAMS = ["group", "stoppedAt", "week", "score", "q"];

type Props = { id: string; kind: ReportKind; query: ReportParams; total: number };

/** Export of the rows in the list, and the PDF, which issues the report. */
export function ReportActions({ id, kind, query, total }: Props) {
  const { t } = useTranslation();
  const [params] = useSearchParams();
  const [isLoading, setIsLoading] = useState(false);
  const canCheck = isAdmin(useUser());
  const issue = useApiMutation(reports.issue);
  const save = async (format: "csv" | "xlsx") => {
    const list = Object.fromEntries(
      LIST_PARAMS.flatMap((name) => (params.get(name) ? [[name, params.get(name) as string]] : [])),
    );
    const url = urlOf(reports.export, { params: { id }, query: { ...query, ...list, format } });
    await download(url, `${kind}-report.${format}`)
      .then((rows) => toast.done(t("reports.report.exported", { count: rows, n: formatNumber(rows) })))
      .catch((error: unknown) => toast.failed(error));
  };
  const saveIssued = async () => {
    setIsLoading(true);
    try {
      const report = await issue.mutateAsync({ params: { id }, body: query });
      await download(urlOf(reports.pdf, { params: { id: report.id } }), `${report.number}.pdf`);
      toast.done(t("reports.report.issued", { number: report.number }));
    } catch (error) {
      toast.failed(error);
    } finally {
      setIsLoading(false);
    }
  };
  return (
    <>
      <ExportMenu
        label={t("reports.report.export")}
        formats={{ csv: t("reports.report.csv"), xlsx: t("reports.report.xlsx") }}
        save={save}
      >
        {canCheck && (
          <Menu.Item component={Link} to="/reports/issued">
            {t("reports.report.toIssued")}
          </Menu.Item>
        )}
      </ExportMenu>
      <Button
        leftSection={<IconFileCertificate size={18} stroke={1.7} />}
        loading={isLoading}
        disabled={total === 0}
        onClick={() => void saveIssued()}
      >
        {t(kind === "learner" ? "reports.learner.issue" : "reports.report.issue")}
      </Button>
    </>
  );
}

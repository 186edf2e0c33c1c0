import { Alert, Button, Table } from "@mantine/core";
import { IconAlertTriangle, IconCircleCheck } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { queryFor } from "#web/core/api/api.ts";
import { WideContent } from "#web/core/display/WideContent.tsx";
import { formatDateTime, formatNumber } from "#web/core/format/format.ts";
import { ErrorPanel } from "#web/core/layout/ErrorPanel.tsx";
import { SkeletonRows } from "#web/core/layout/PageSkeleton.tsx";
import { Section } from "#web/core/layout/Section.tsx";
import { reports } from "#shared/reports/reports.ts";

/** An issued report, recounted as of its time and compared figure by figure. */
export function ReportCheck({ id, onClose }: { id: string; onClose: () => void }) {
  const { t } = useTranslation();
  const [all, setAll] = useState(false);
  const { data, error, refetch } = useQuery(queryFor(reports.check, { params: { id } }));
  if (error) return <ErrorPanel error={error} onRetry={() => void refetch()} />;
  if (!data) return <SkeletonRows rows={4} />;
  const { report, figures, different, isDigestRight, checkedAt } = data;
  const isRight = different === 0 && isDigestRight;
  const shown = all ? figures : figures.filter(({ issued, counted }) => issued !== counted);
  return (
    <Section
      title={t("reports.issued.checkTitle", { number: report.number })}
      side={
        <Button variant="subtle" size="xs" onClick={onClose}>
          {t("core.close")}
        </Button>
      }
    >
      <Alert
        color={isRight ? "green" : "red"}
        icon={isRight ? <IconCircleCheck /> : <IconAlertTriangle />}
        title={
          isRight
            ? t("reports.issued.equal", { count: figures.length, n: formatNumber(figures.length) })
            : t("reports.issued.different", {
                count: different,
                n: formatNumber(different),
                all: formatNumber(figures.length),
              })
        }
      >
        <p style={{ margin: 0 }}>
          {t("reports.issued.checkText", {
            title: report.title,
            asOf: formatDateTime(report.asOf),
            at: formatDateTime(checkedAt),
          })}{" "}
          {t(isDigestRight ? "reports.issued.digestRight" : "reports.issued.digestWrong")}
        </p>
        <p style={{ margin: "6px 0 0", overflowWrap: "anywhere" }}>
          <code>{report.digest}</code>
        </p>
      </Alert>
      {shown.length > 0 && (
        <WideContent label={t("reports.issued.figures")}>
          <Table highlightOnHover={false}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t("reports.report.figure")}</Table.Th>
                <Table.Th ta="right">{t("reports.issued.asIssued")}</Table.Th>
                <Table.Th ta="right">{t("reports.issued.asCounted")}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {shown.map(({ path, issued, counted }) => (
                <Table.Tr key={path}>
                  <Table.Td>{path}</Table.Td>
                  <Table.Td ta="right">{issued ?? "–"}</Table.Td>
                  <Table.Td
                    ta="right"
                    c={issued === counted ? undefined : "var(--ly-bad)"}
                    fw={issued === counted ? undefined : 600}
                  >
                    {counted ?? "–"}
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </WideContent>
      )}
      <Button variant="subtle" size="xs" mt="xs" onClick={() => setAll(!all)}>
        {t(all ? "reports.issued.onlyDifferent" : "reports.issued.all")}
      </Button>
    </Section>
  );
}

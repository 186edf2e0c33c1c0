import { Alert, Button, Table } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { useSuspenseQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { useNavigate, useParams } from "react-router";
import classes from "#web/auditPacks/auditPacks.module.css";
import { PackLinks } from "#web/auditPacks/PackLinks.tsx";
import { PackState } from "#web/auditPacks/PackState.tsx";
import { queryFor, useApiMutation } from "#web/core/api/api.ts";
import { download } from "#web/core/api/download.ts";
import { confirm } from "#web/core/dialog/confirm.ts";
import { WideContent } from "#web/core/display/WideContent.tsx";
import { formatBytes, formatDate, formatDateTime, formatDateTimeIn, formatNumber } from "#web/core/format/format.ts";
import { urlOf } from "#web/core/http/http.ts";
import { PageHead } from "#web/core/layout/PageHead.tsx";
import { Section } from "#web/core/layout/Section.tsx";
import { toast } from "#web/core/toast/toast.ts";
import { type AuditPack, auditPacks } from "#shared/auditPacks/auditPacks.ts";

/** While a job makes the files, in ms. */
const REFRESH_MS = 1500;
const isBusy = (pack: AuditPack | undefined) => pack?.state === "waiting" || pack?.state === "checking";

/** `/companies/:id/audit-packs/:packId`: an audit pack, its files, and who may open it. */
export function AuditPackView() {
  const { t } = useTranslation();
  const { id = "", packId = "" } = useParams();
  const params = { id: packId };
  const navigate = useNavigate();
  const { data: pack } = useSuspenseQuery({
    ...queryFor(auditPacks.get, { params }),
    refetchInterval: ({ state }: { state: { data: AuditPack | undefined } }) =>
      isBusy(state.data) ? REFRESH_MS : false,
  });
  const check = useApiMutation(auditPacks.check, { quiet: true });
  const remove = useApiMutation(auditPacks.remove, { quiet: true });
  const list = `/companies/${id}/audit-packs`;
  const save = () =>
    download(urlOf(auditPacks.file, { params }), `${pack.number}.zip`).catch((error: unknown) => toast.failed(error));
  const again = () => check.mutateAsync({ params }).catch((error: unknown) => toast.failed(error));
  const askToRemove = () =>
    confirm({
      title: t("auditPacks.removeTitle", { number: pack.number }),
      text: t("auditPacks.removeText"),
      confirmLabel: t("auditPacks.remove"),
      cancelLabel: t("core.cancel"),
      danger: true,
      onConfirm: async () => {
        await remove.mutateAsync({ params });
        toast.done(t("auditPacks.removed"));
        await navigate(list);
      },
    });
  return (
    <>
      <PageHead
        title={pack.number}
        line={t("auditPacks.line", {
          from: formatDate(pack.from),
          to: formatDate(pack.to),
          time: formatDateTimeIn(pack.asOf, pack.zone),
          zone: pack.zone,
        })}
        parent={{ to: list, label: t("auditPacks.title") }}
        actions={
          pack.files && (
            <Button leftSection={<IconDownload size={18} stroke={1.7} />} onClick={() => void save()}>
              {t("auditPacks.download")}
            </Button>
          )
        }
      />
      {pack.state === "failed" && (
        <Alert color="red" mb="lg" role="alert">
          {t(pack.files ? "auditPacks.failedAgain" : "auditPacks.failedText")}
        </Alert>
      )}
      <dl className={classes.facts}>
        <dt>{t("auditPacks.state")}</dt>
        <dd aria-live="polite">
          <PackState pack={pack} />
        </dd>
        <dt>{t("auditPacks.details.courses")}</dt>
        <dd>{pack.courses.map(({ title }) => title).join(", ")}</dd>
        <dt>{t("auditPacks.details.by")}</dt>
        <dd>
          {pack.requestedBy ?? "–"}, {formatDateTime(pack.createdAt)}
        </dd>
        {pack.digest && (
          <>
            <dt>{t("auditPacks.details.digest")}</dt>
            <dd>
              <code className={classes.sum}>{pack.digest}</code>
            </dd>
          </>
        )}
      </dl>
      <div className={classes.actions}>
        <Button variant="default" loading={check.isPending} disabled={isBusy(pack)} onClick={() => void again()}>
          {t(pack.files ? "auditPacks.check" : "auditPacks.again")}
        </Button>
        <Button variant="subtle" color="red" onClick={askToRemove}>
          {t("auditPacks.remove")}
        </Button>
      </div>
      {pack.files && <CheckResult pack={pack} />}
      {pack.files && (
        <Section title={t("auditPacks.details.files")}>
          <FileTable files={pack.files} />
        </Section>
      )}
      {pack.files && <PackLinks packId={packId} zone={pack.zone} />}
    </>
  );
}

/** How the files compared when they were last made again. */
function CheckResult({ pack: { files, checkedAt } }: { pack: AuditPack }) {
  const { t } = useTranslation();
  if (!checkedAt || !files) return null;
  const differing = files.filter(({ check }) => check === "records").map(({ path }) => path);
  const hasOthers = files.some(({ check }) => check === "names");
  const result = hasOthers ? "names" : "same";
  return (
    <Alert
      mb="lg"
      color={differing.length > 0 ? "red" : "green"}
      title={t("auditPacks.details.checked", { time: formatDateTime(checkedAt) })}
    >
      {t(`auditPacks.checkResults.${differing.length > 0 ? "records" : result}`, { files: differing.join(", ") })}
    </Alert>
  );
}

/** Files of these are many, and shown as one. */
const PROOFS = "proofs/";

function FileTable({ files }: { files: NonNullable<AuditPack["files"]> }) {
  const { t } = useTranslation();
  const proofs = files.filter(({ path }) => path.startsWith(PROOFS));
  const tables = files.filter(({ path }) => !path.startsWith(PROOFS));
  const hasChecks = files.some(({ check }) => check !== null);
  return (
    <WideContent label={t("auditPacks.details.files")}>
      <Table highlightOnHover={false}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t("auditPacks.details.file")}</Table.Th>
            <Table.Th ta="end">{t("auditPacks.details.rows")}</Table.Th>
            <Table.Th ta="end">{t("auditPacks.details.size")}</Table.Th>
            {hasChecks && <Table.Th>{t("auditPacks.details.again")}</Table.Th>}
            <Table.Th visibleFrom="sm">{t("auditPacks.details.sum")}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {tables.map(({ path, rows, bytes, sha256, records, check }) => (
            <Table.Tr key={path}>
              <Table.Td>{path}</Table.Td>
              <Table.Td ta="end">{records === null ? "–" : formatNumber(rows)}</Table.Td>
              <Table.Td ta="end">{formatBytes(bytes)}</Table.Td>
              {hasChecks && <Table.Td>{check ? t(`auditPacks.checks.${check}`) : "–"}</Table.Td>}
              <Table.Td visibleFrom="sm">
                <code className={classes.sum}>{sha256.slice(0, 16)}…</code>
              </Table.Td>
            </Table.Tr>
          ))}
          {proofs.length > 0 && (
            <Table.Tr>
              <Table.Td>{PROOFS}</Table.Td>
              <Table.Td ta="end">{formatNumber(proofs.length)}</Table.Td>
              <Table.Td ta="end">{formatBytes(proofs.reduce((sum, { bytes }) => sum + bytes, 0))}</Table.Td>
              {hasChecks && (
                <Table.Td>
                  {t(`auditPacks.checks.${proofs.every(({ check }) => check === "same") ? "same" : "records"}`)}
                </Table.Td>
              )}
              <Table.Td visibleFrom="sm">–</Table.Td>
            </Table.Tr>
          )}
        </Table.Tbody>
      </Table>
    </WideContent>
  );
}

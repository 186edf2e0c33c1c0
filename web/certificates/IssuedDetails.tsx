import { Button, Group, Textarea } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { BadgeMenu } from "#web/certificates/BadgeMenu.tsx";
import { CertificateState } from "#web/certificates/CertificateState.tsx";
import classes from "#web/certificates/certificates.module.css";
import { savePdf, saveProof } from "#web/certificates/downloads.ts";
import { queryFor, useApiMutation } from "#web/core/api/api.ts";
import { confirm } from "#web/core/dialog/confirm.ts";
import { Dialog } from "#web/core/dialog/Dialog.tsx";
import { FormDialog } from "#web/core/dialog/FormDialog.tsx";
import { formatDate } from "#web/core/format/format.ts";
import { SkeletonRows } from "#web/core/layout/PageSkeleton.tsx";
import { toast } from "#web/core/toast/toast.ts";
import { type Certificate, certificates, REASON_MAX } from "#shared/certificates/certificates.ts";

const REASON_MIN = 3;

/** One certificate, with what an admin may do with it. */
export function IssuedDetails({ id, onClose }: { id: string; onClose: () => void }) {
  const { t } = useTranslation();
  const { data } = useQuery(queryFor(certificates.get, { params: { id } }));
  const [revoking, setRevoking] = useState(false);
  return (
    <>
      <Dialog
        opened={!revoking}
        onClose={onClose}
        title={t("certificates.details", { number: data?.number ?? "" })}
        size={560}
      >
        {data ? <Details row={data} onRevoke={() => setRevoking(true)} /> : <SkeletonRows rows={5} />}
      </Dialog>
      {data && <RevokeDialog row={data} opened={revoking} onClose={() => setRevoking(false)} />}
    </>
  );
}

function Details({ row, onRevoke }: { row: Certificate; onRevoke: () => void }) {
  const { t } = useTranslation();
  const reissue = useApiMutation(certificates.reissue);
  const isOver = row.state === "revoked" || row.state === "replaced";
  const askToReissue = () =>
    confirm({
      title: t("certificates.reissue.title", { number: row.number }),
      text: t("certificates.reissue.text", { name: row.name, newName: row.newName }),
      confirmLabel: t("certificates.reissue.action"),
      cancelLabel: t("core.cancel"),
      onConfirm: async () => {
        const made = await reissue.mutateAsync({ params: { id: row.id } });
        toast.done(t("certificates.reissue.done", { number: made.number }));
      },
    });
  const facts: [string, React.ReactNode][] = [
    [t("certificates.holder"), <bdi key="name">{row.name ?? t("certificates.nameRemoved")}</bdi>],
    [
      t(row.kind === "path" ? "certificates.learningPath" : "certificates.course"),
      t("certificates.version", { course: row.course, number: row.courseVersion }),
    ],
    [t("certificates.company"), row.company],
    [t("certificates.completed"), formatDate(row.completedOn)],
    [t("certificates.issuedOn"), formatDate(row.issuedOn)],
    [t("certificates.validUntil"), row.validUntil ? formatDate(row.validUntil) : t("certificates.noEnd")],
    [t("certificates.state"), <CertificateState key="state" state={row.state} />],
  ];
  return (
    <>
      <dl className={classes.facts}>
        {facts.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {row.revokedAt && (
        <p className={classes.note}>
          {t("certificates.revokedBecause", {
            day: formatDate(row.revokedAt),
            reason: row.revokedReason ?? "–",
          })}
        </p>
      )}
      {row.takenBackAt && !isOver && (
        <p className={classes.note}>{t("certificates.takenBackLine", { day: formatDate(row.takenBackAt) })}</p>
      )}
      {row.replacedBy && <p className={classes.note}>{t("certificates.replacedByLine", { number: row.replacedBy })}</p>}
      {row.newName && !isOver && <p className={classes.note}>{t("certificates.newNameLine", { name: row.newName })}</p>}
      <Group gap="xs" mt="md">
        <Button variant="default" disabled={row.name === null} onClick={() => void savePdf(row)}>
          {t("certificates.pdf")}
        </Button>
        <BadgeMenu row={row} />
        <Button variant="default" disabled={!row.sealed} onClick={() => void saveProof(row)}>
          {t("certificates.proof")}
        </Button>
        <Button variant="default" component="a" href={`/verify/${row.number}`} target="_blank">
          {t("certificates.page")}
        </Button>
        {row.newName && !isOver && (
          <Button variant="default" onClick={askToReissue}>
            {t("certificates.reissue.action")}
          </Button>
        )}
        {!isOver && (
          <Button variant="subtle" color="red" onClick={onRevoke}>
            {t("certificates.revoke.action")}
          </Button>
        )}
      </Group>
    </>
  );
}

function RevokeDialog({ row, opened, onClose }: { row: Certificate; opened: boolean; onClose: () => void }) {
  const { t } = useTranslation();
  const revoke = useApiMutation(certificates.revoke, { quiet: true });
  const [reason, setReason] = useState("");
  const submit = () =>
    revoke.mutateAsync({ params: { id: row.id }, body: { reason: reason.trim() } }).then(
      () => {
        toast.done(t("certificates.revoke.done", { number: row.number }));
        onClose();
      },
      () => {},
    );
  return (
    <FormDialog
      opened={opened}
      onClose={onClose}
      title={t("certificates.revoke.title", { number: row.number })}
      submitLabel={t("certificates.revoke.action")}
      onSubmit={submit}
      busy={revoke.isPending}
      disabled={reason.trim().length < REASON_MIN}
      failure={revoke.error}
      danger
    >
      <p style={{ margin: 0 }}>{t("certificates.revoke.text")}</p>
      <Textarea
        label={t("certificates.revoke.reason")}
        description={t("certificates.revoke.reasonHint")}
        value={reason}
        maxLength={REASON_MAX}
        autosize
        minRows={2}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
    </FormDialog>
  );
}

import { Fragment, useState } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import { useApiMutation } from "#web/core/api/api.ts";
import { toast } from "#web/core/toast/toast.ts";
import { useDelayedOpen } from "#web/core/dialog/useDelayedOpen.ts";
import { AssignDialog } from "#web/learners/AssignDialog.tsx";
import { inBatches } from "#web/learners/inBatches.ts";
import { EditLearnerDialog } from "#web/learners/EditLearnerDialog.tsx";
import { MoveDialog } from "#web/learners/MoveDialog.tsx";
import { isDeliveryDisabled } from "#web/learners/isDeliveryDisabled.ts";
import { SuspendDialog } from "#web/learners/SuspendDialog.tsx";
import { EraseDialog } from "#web/privacy/EraseDialog.tsx";
import { showReceipt } from "#web/privacy/showReceipt.tsx";
import { type Learner, learners } from "#shared/learners.ts";

type Kind = "assign" | "move" | "suspend" | "edit" | "erase";
type OpenDialog = { kind: Kind; rows: Learner[]; onDone: () => void; key: number };
const noop = () => {};

/** Actions on one or many learners, shared by the row menu and the bulk actions. */
export function useLearnerActions() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [dialog, setDialog] = useState<OpenDialog | null>(null);
  const [opened, setOpened] = useState(false);
  const reactivating = useApiMutation(learners.reactivate);
  const resending = useApiMutation(learners.resend);

  const open = (kind: Kind, rows: Learner[], onDone: () => void = noop) => {
    setDialog((before) => ({ kind, rows, onDone, key: (before?.key ?? 0) + 1 }));
    setOpened(true);
  };
  const reactivate = async (rows: Learner[], onDone: () => void = noop) => {
    const ids = rows.filter(({ status }) => status === "suspended").map(({ id }) => id);
    const count = await inBatches(ids, (ids) => reactivating.mutateAsync({ body: { ids } })).catch(() => null);
    if (count === null) return;
    toast.done(t("learners.reactivate.done", { count }));
    onDone();
  };
  const resend = async (rows: Learner[], onDone: () => void = noop) => {
    const ids = rows.filter(({ status }) => status === "invited").map(({ id }) => id);
    const count = await inBatches(ids, (ids) => resending.mutateAsync({ body: { ids } })).catch(() => null);
    if (count === null) return;
    const mustSendLinks = await isDeliveryDisabled();
    toast.done(
      t("learners.resend.done", { count }),
      mustSendLinks
        ? {
            text: t("learners.inOutbox"),
            action: { label: t("learners.openOutbox"), run: () => void navigate("/admin/mails") },
          }
        : {},
    );
    onDone();
  };

  const shown = useDelayedOpen(opened);
  const shared = dialog && { opened: shown, onClose: () => setOpened(false), rows: dialog.rows, onDone: dialog.onDone };
  const [first] = dialog?.rows ?? [];
  const dialogs = dialog && shared && first && (
    <Fragment key={dialog.key}>
      {dialog.kind === "assign" && (
        <AssignDialog
          {...shared}
          userIds={dialog.rows.map(({ id }) => id)}
          title={
            dialog.rows.length === 1
              ? t("learners.assign.titleOne", { name: first.name || first.email })
              : t("learners.assign.title", { count: dialog.rows.length })
          }
        />
      )}
      {dialog.kind === "move" && <MoveDialog {...shared} onAssign={() => open("assign", dialog.rows)} />}
      {dialog.kind === "suspend" && <SuspendDialog {...shared} />}
      {dialog.kind === "erase" && (
        <EraseDialog
          opened={shown}
          onClose={shared.onClose}
          other={first}
          onErased={(receipt) =>
            showReceipt(receipt, t("privacy.erase.otherDone", { name: first.name || first.email }))
          }
        />
      )}
      {dialog.kind === "edit" && (
        <EditLearnerDialog {...shared} learner={first} onResend={(learner) => void resend([learner])} />
      )}
    </Fragment>
  );
  return { open, reactivate, resend, dialogs, busy: reactivating.isPending || resending.isPending };
}
export type LearnerActions = ReturnType<typeof useLearnerActions>;

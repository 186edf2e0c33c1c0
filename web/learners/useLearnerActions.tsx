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
type Act = { kind: Kind; rows: Learner[]; done: () => void; no: number };
const nothing = () => {};

/** What can be done with one learner or many: the same from the row menu and from the selection bar. */
export function useLearnerActions() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [act, setAct] = useState<Act | null>(null);
  const [opened, setOpened] = useState(false);
  const reactivating = useApiMutation(learners.reactivate, { alsoInvalidate: ["companies", "dashboard"] });
  const resending = useApiMutation(learners.resend, { alsoInvalidate: ["mails", "dashboard"] });

  const open = (kind: Kind, rows: Learner[], done: () => void = nothing) => {
    setAct((before) => ({ kind, rows, done, no: (before?.no ?? 0) + 1 }));
    setOpened(true);
  };
  const reactivate = async (rows: Learner[], done: () => void = nothing) => {
    const ids = rows.filter(({ status }) => status === "suspended").map(({ id }) => id);
    const count = await inBatches(ids, (ids) => reactivating.mutateAsync({ body: { ids } })).catch(() => null);
    if (count === null) return;
    toast.done(t("learners.reactivate.done", { count }));
    done();
  };
  const resend = async (rows: Learner[], done: () => void = nothing) => {
    const ids = rows.filter(({ status }) => status === "invited").map(({ id }) => id);
    const count = await inBatches(ids, (ids) => resending.mutateAsync({ body: { ids } })).catch(() => null);
    if (count === null) return;
    const kept = await isDeliveryDisabled();
    toast.done(
      t("learners.resend.done", { count }),
      kept
        ? {
            text: t("learners.inOutbox"),
            action: { label: t("learners.openOutbox"), run: () => void navigate("/admin/mails") },
          }
        : {},
    );
    done();
  };

  const shown = useDelayedOpen(opened);
  const shared = act && { opened: shown, onClose: () => setOpened(false), rows: act.rows, onDone: act.done };
  const [one] = act?.rows ?? [];
  const dialogs = act && shared && one && (
    <Fragment key={act.no}>
      {act.kind === "assign" && (
        <AssignDialog
          {...shared}
          userIds={act.rows.map(({ id }) => id)}
          title={
            act.rows.length === 1
              ? t("learners.assign.titleOne", { name: one.name || one.email })
              : t("learners.assign.title", { count: act.rows.length })
          }
        />
      )}
      {act.kind === "move" && <MoveDialog {...shared} onAssign={() => open("assign", act.rows)} />}
      {act.kind === "suspend" && <SuspendDialog {...shared} />}
      {act.kind === "erase" && (
        <EraseDialog
          opened={shown}
          onClose={shared.onClose}
          other={one}
          onErased={(receipt) => showReceipt(receipt, t("privacy.erase.otherDone", { name: one.name || one.email }))}
        />
      )}
      {act.kind === "edit" && (
        <EditLearnerDialog {...shared} learner={one} onResend={(learner) => void resend([learner])} />
      )}
    </Fragment>
  );
  return { open, reactivate, resend, dialogs, busy: reactivating.isPending || resending.isPending };
}
export type LearnerActions = ReturnType<typeof useLearnerActions>;

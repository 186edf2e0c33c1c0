import { Fragment, useState } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import { call, useApiMutation } from "#web/core/api/api.ts";
import { toast } from "#web/core/toast/toast.ts";
import type { Selection } from "#web/core/table/table.ts";
import { lazyDialog } from "#web/core/dialog/lazyDialog.tsx";
import { LazyRemindDialog } from "#web/courses/remind/lazyRemindDialog.ts";
import { ofRows, selectionBody } from "#web/learners/selectionBody.ts";
import { isDeliveryDisabled } from "#web/learners/isDeliveryDisabled.ts";
import { showReceipt } from "#web/privacy/showReceipt.tsx";
import { type Learner, learners } from "#shared/learners/learners.ts";

const AssignDialog = lazyDialog(() =>
  import("#web/learners/AssignDialog.tsx").then(({ AssignDialog }) => AssignDialog),
);
const EditLearnerDialog = lazyDialog(() =>
  import("#web/learners/EditLearnerDialog.tsx").then(({ EditLearnerDialog }) => EditLearnerDialog),
);
const MoveDialog = lazyDialog(() => import("#web/learners/MoveDialog.tsx").then(({ MoveDialog }) => MoveDialog));
const ManagerDialog = lazyDialog(() =>
  import("#web/learners/manager/ManagerDialog.tsx").then(({ ManagerDialog }) => ManagerDialog),
);
const SuspendDialog = lazyDialog(() =>
  import("#web/learners/SuspendDialog.tsx").then(({ SuspendDialog }) => SuspendDialog),
);
const EraseDialog = lazyDialog(() => import("#web/privacy/EraseDialog.tsx").then(({ EraseDialog }) => EraseDialog));

const IssuePinDialog = lazyDialog(() =>
  import("#web/auth/pins/IssuePinDialog.tsx").then(({ IssuePinDialog }) => IssuePinDialog),
);

const PastCompletionsDialog = lazyDialog(() =>
  import("#web/learners/past/PastCompletionsDialog.tsx").then(({ PastCompletionsDialog }) => PastCompletionsDialog),
);

type Kind = "pin" | "past" | "assign" | "remind" | "manager" | "move" | "suspend" | "edit" | "erase";
type Target = Learner[] | Selection<Learner>;
type OpenDialog = { kind: Kind; selection: Selection<Learner>; onDone: () => void; key: number };
const noop = () => {};
const toSelection = (target: Target) => (Array.isArray(target) ? ofRows(target) : target);

const countOf = ({ changed }: { changed: number }) => changed;

/** Actions on one or many learners, shared by the row menu and the bulk actions. */
export function useLearnerActions() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [dialog, setDialog] = useState<OpenDialog | null>(null);
  const [opened, setOpened] = useState(false);
  const reactivating = useApiMutation(learners.reactivate);
  const resending = useApiMutation(learners.resend);

  const open = (kind: Kind, target: Target, onDone: () => void = noop) => {
    setDialog((before) => ({ kind, selection: toSelection(target), onDone, key: (before?.key ?? 0) + 1 }));
    setOpened(true);
  };
  const reactivate = async (target: Target, onDone: () => void = noop) => {
    const body = selectionBody(toSelection(target));
    const count = await reactivating.mutateAsync({ body }).then(countOf, () => null);
    if (count === null) return;
    toast.done(t("learners.reactivate.done", { count }));
    onDone();
  };
  const resend = async (target: Target, onDone: () => void = noop) => {
    const body = selectionBody(toSelection(target));
    const count = await resending.mutateAsync({ body }).then(countOf, () => null);
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

  const shared = dialog && { opened, onClose: () => setOpened(false), onDone: dialog.onDone };
  const selection = dialog?.selection;
  const [first] = selection?.rows ?? [];
  const dialogs = dialog && shared && selection && first && (
    <Fragment key={dialog.key}>
      {dialog.kind === "assign" && (
        <AssignDialog
          {...shared}
          selection={selection}
          title={
            selection.count === 1
              ? t("learners.assign.titleOne", { name: first.name || first.email })
              : t("learners.assign.title", { count: selection.count })
          }
        />
      )}
      {dialog.kind === "remind" && (
        <LazyRemindDialog
          {...shared}
          title={
            selection.count === 1
              ? t("courses.remind.titleOne", { name: first.name || first.email })
              : t("courses.remind.title", { count: selection.count })
          }
          request={{ selection: selectionBody(selection) }}
        />
      )}
      {dialog.kind === "move" && (
        <MoveDialog {...shared} selection={selection} onAssign={() => open("assign", selection)} />
      )}
      {dialog.kind === "manager" && <ManagerDialog {...shared} selection={selection} />}
      {dialog.kind === "suspend" && <SuspendDialog {...shared} selection={selection} />}
      {dialog.kind === "past" && (
        <PastCompletionsDialog
          opened={opened}
          onClose={shared.onClose}
          personId={first.id}
          name={first.name || (first.email ?? "")}
        />
      )}
      {dialog.kind === "pin" && (
        <IssuePinDialog
          opened={opened}
          onClose={shared.onClose}
          name={first.name}
          issue={(body) => call(learners.issuePin, { params: { id: first.id }, body })}
        />
      )}
      {dialog.kind === "erase" && (
        <EraseDialog
          opened={opened}
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

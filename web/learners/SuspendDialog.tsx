import { Text, Textarea } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useApiMutation } from "#web/core/api/api.ts";
import { toast } from "#web/core/toast/toast.ts";
import { ofRows, selectionBody } from "#web/learners/selectionBody.ts";
import type { Selection } from "#web/core/table/table.ts";
import { FormDialog } from "#web/core/dialog/FormDialog.tsx";
import { type Learner, learners } from "#shared/learners/learners.ts";

type Props = { opened: boolean; onClose: () => void; selection: Selection<Learner>; onDone: () => void };

/** Suspends learners, with an optional reason for admins. */
export function SuspendDialog({ opened, onClose, selection, onDone }: Props) {
  const { t } = useTranslation();
  const [reason, setReason] = useState("");
  const suspend = useApiMutation(learners.suspend, { quiet: true });
  const undoSuspension = useApiMutation(learners.undoSuspension);
  const people = selection.rows.filter(({ status }) => status !== "suspended");
  const body = selectionBody(selection.filter ? selection : ofRows(people));
  const total = selection.filter ? selection.count : people.length;
  const [first] = people;

  const submit = async () => {
    const reply = await suspend.mutateAsync({ body: { ...body, reason: reason.trim() } }).catch(() => null);
    if (!reply) return;
    const undo = async () => {
      const undone = await undoSuspension.mutateAsync({ params: { id: reply.undoId } }).catch(() => null);
      if (undone) toast.done(t("learners.reactivate.done", { count: undone.changed }));
    };
    toast.done(t("learners.suspend.done", { count: reply.changed }), {
      action: { label: t("core.undo"), run: () => void undo() },
    });
    setReason("");
    onDone();
    onClose();
  };
  return (
    <FormDialog
      opened={opened}
      onClose={onClose}
      danger
      busy={suspend.isPending}
      failure={suspend.error}
      onSubmit={submit}
      title={
        total === 1 && first
          ? t("learners.suspend.titleOne", { name: first.name || first.email })
          : t("learners.suspend.title", { count: total })
      }
      submitLabel={t("learners.suspend.verb", { count: total })}
      cancelLabel={t("learners.suspend.keep", { count: total })}
    >
      <Text>{t("learners.suspend.text", { count: total })}</Text>
      <Textarea
        data-autofocus
        autosize
        minRows={2}
        maxLength={300}
        label={t("learners.suspend.reason")}
        description={t("learners.suspend.reasonHint")}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
    </FormDialog>
  );
}

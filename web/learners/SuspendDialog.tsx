import { Text, Textarea } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useApiMutation } from "#web/core/api/api.ts";
import { toast } from "#web/core/toast/toast.ts";
import { inBatches } from "#web/learners/inBatches.ts";
import { FormDialog } from "#web/core/dialog/FormDialog.tsx";
import { type Learner, learners } from "#shared/learners.ts";

type Props = { opened: boolean; onClose: () => void; rows: Learner[]; onDone: () => void };

/** Suspends learners, with an optional reason for admins. */
export function SuspendDialog({ opened, onClose, rows, onDone }: Props) {
  const { t } = useTranslation();
  const [reason, setReason] = useState("");
  const suspend = useApiMutation(learners.suspend, { quiet: true });
  const reactivate = useApiMutation(learners.reactivate);
  const people = rows.filter(({ status }) => status !== "suspended");
  const ids = people.map(({ id }) => id);
  const [first] = people;

  const submit = async () => {
    const count = await inBatches(ids, (ids) => suspend.mutateAsync({ body: { ids, reason: reason.trim() } })).catch(
      () => null,
    );
    if (count === null) return;
    toast.done(t("learners.suspend.done", { count }), {
      action: {
        label: t("core.undo"),
        run: () => void inBatches(ids, (ids) => reactivate.mutateAsync({ body: { ids } })).catch(() => null),
      },
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
        people.length === 1 && first
          ? t("learners.suspend.titleOne", { name: first.name || first.email })
          : t("learners.suspend.title", { count: people.length })
      }
      submitLabel={t("learners.suspend.verb", { count: people.length })}
      cancelLabel={t("learners.suspend.keep", { count: people.length })}
    >
      <Text>{t("learners.suspend.text", { count: people.length })}</Text>
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

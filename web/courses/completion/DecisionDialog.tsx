import { Textarea } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { queriesOf, useApiMutation } from "#web/core/api/api.ts";
import { isStatus } from "#web/core/http/http.ts";
import { FormDialog } from "#web/core/dialog/FormDialog.tsx";
import { toast } from "#web/core/toast/toast.ts";
import classes from "#web/courses/completion/completions.module.css";
import { type Completion, completions, MAX_REASON, MIN_REASON } from "#shared/completions/completions.ts";

export type Decided = "set" | "reopen" | "restart";
type Props = { what: Decided; completion: Completion; onClose: () => void };

/** Asks for the reason of a decision about a completion. */
export function DecisionDialog({ what, completion, onClose }: Props) {
  const { t } = useTranslation();
  const decide = useApiMutation(completions[what], { quiet: true });
  const client = useQueryClient();
  const [reason, setReason] = useState("");
  const [isTried, setTried] = useState(false);
  const { enrolmentId, attemptNo, status, course, name } = completion;
  const isShort = reason.trim().length < MIN_REASON;
  const save = async () => {
    setTried(true);
    if (isShort) return;
    try {
      await decide.mutateAsync({ params: { id: enrolmentId }, body: { reason, attemptNo, status } });
      toast.done(t(`completions.${what}.done`, { course }), { text: t("completions.undo.hint") });
      onClose();
    } catch (error) {
      // Shown in the dialog; a second try is about the course as it is now.
      if (isStatus(error, 409)) void client.invalidateQueries(queriesOf(completions.get));
    }
  };
  return (
    <FormDialog
      opened
      onClose={onClose}
      title={t(`completions.${what}.dialog`, { course, name })}
      submitLabel={t(`completions.${what}.action`)}
      onSubmit={save}
      busy={decide.isPending}
      failure={decide.error}
      danger={what !== "set"}
      size={480}
    >
      <p className={classes.dim}>{t(`completions.${what}.lead`)}</p>
      <Textarea
        label={t("completions.reason")}
        description={t("completions.reasonHint")}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
        maxLength={MAX_REASON}
        minRows={2}
        autosize
        required
        error={isTried && isShort && t("completions.reasonLength", { min: MIN_REASON, max: MAX_REASON })}
      />
    </FormDialog>
  );
}

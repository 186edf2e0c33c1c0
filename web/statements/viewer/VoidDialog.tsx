import { Text, TextInput } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { useApiMutation } from "#web/core/api/api.ts";
import { FormDialog } from "#web/core/dialog/FormDialog.tsx";
import { useTextForm } from "#web/core/dialog/useTextForm.ts";
import { toast } from "#web/core/toast/toast.ts";
import { sentenceOf } from "#web/statements/viewer/statementText.ts";
import { MAX_REASON_CHARS, MIN_REASON_CHARS, type StatementDetail } from "#shared/statements/statementEntries.ts";
import { statements } from "#shared/statements/statements.ts";

type Props = { statement: StatementDetail; onClose: () => void };

export function VoidDialog({ statement, onClose }: Props) {
  const { t } = useTranslation();
  const { form, field, failure, accept, showError } = useTextForm({ reason: "" }, onClose);
  const voiding = useApiMutation(statements.void, { quiet: true });
  const submit = async () => {
    const reason = form.reason.trim();
    if (
      !accept(
        reason.length < MIN_REASON_CHARS
          ? { reason: t("statements.viewer.reasonShort", { count: MIN_REASON_CHARS }) }
          : {},
      )
    )
      return;
    try {
      await voiding.mutateAsync({ params: { position: statement.position }, body: { reason } });
      toast.done(t("statements.viewer.voided"));
      onClose();
    } catch (error) {
      showError(error);
    }
  };
  return (
    <FormDialog
      opened
      onClose={onClose}
      size={460}
      title={t("statements.viewer.voidTitle")}
      submitLabel={t("statements.viewer.void")}
      cancelLabel={t("statements.keep")}
      busy={voiding.isPending}
      failure={failure}
      danger
      onSubmit={submit}
    >
      <Text style={{ overflowWrap: "anywhere" }}>{sentenceOf(statement, t)}</Text>
      <Text size="sm" c="dimmed">
        {t("statements.viewer.voidText")}
      </Text>
      <TextInput
        data-autofocus
        label={t("statements.viewer.reason")}
        description={t("statements.viewer.reasonHint")}
        maxLength={MAX_REASON_CHARS}
        {...field("reason")}
      />
    </FormDialog>
  );
}

import { NumberInput, Text } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useApiMutation, queriesOf } from "#web/core/api/api.ts";
import { formatDate } from "#web/core/format/format.ts";
import { isCode } from "#web/core/http/http.ts";
import { toast } from "#web/core/toast/toast.ts";
import { inDays } from "#web/learners/days.ts";
import { FormDialog } from "#web/core/dialog/FormDialog.tsx";
import { companies, type CompanyRow, formatCode } from "#shared/companies/companies.ts";

/** Days the old code keeps working: default, and maximum (shared/companies/companies.ts). */
const DEFAULT_GRACE_DAYS = 7;
const MAX_GRACE_DAYS = 90;

/** Creates a new access code. The old one keeps working for some days, so that printed posters stay valid. */
export function NewCodeDialog({
  company,
  opened,
  onClose,
}: {
  company: CompanyRow;
  opened: boolean;
  onClose: () => void;
}) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const [days, setDays] = useState<number | string>(DEFAULT_GRACE_DAYS);
  const [failure, setFailure] = useState<unknown>(null);
  const rotate = useApiMutation(companies.rotateCode, { quiet: true });
  const grace = Math.min(MAX_GRACE_DAYS, Math.max(0, Math.trunc(Number(days) || 0)));
  const code = formatCode(company.accessCode);

  const submit = async () => {
    setFailure(null);
    try {
      const updated = await rotate.mutateAsync({
        params: { id: company.id },
        body: { graceDays: grace, version: company.version },
      });
      toast.done(t("companies.newCode.done", { code: formatCode(updated.accessCode) }));
      onClose();
    } catch (error) {
      // After a conflict the company is reloaded, so that the dialog shows the current code.
      if (isCode(error, "core.conflict")) await client.invalidateQueries(queriesOf(companies.list));
      setFailure(error);
    }
  };
  return (
    <FormDialog
      opened={opened}
      onClose={onClose}
      title={t("companies.newCode.title", { code })}
      submitLabel={t("companies.newCode.verb")}
      cancelLabel={t("companies.newCode.keep", { code })}
      busy={rotate.isPending}
      failure={failure}
      onSubmit={submit}
      size={480}
    >
      <Text aria-live="polite">
        {grace > 0
          ? t("companies.newCode.text", { code, date: formatDate(inDays(grace)) })
          : t("companies.newCode.textImmediate", { code })}
      </Text>
      <NumberInput
        data-autofocus
        label={t("companies.newCode.grace")}
        description={t("companies.newCode.graceHint")}
        min={0}
        max={MAX_GRACE_DAYS}
        allowDecimal={false}
        allowNegative={false}
        value={days}
        onChange={setDays}
        maw={200}
      />
    </FormDialog>
  );
}

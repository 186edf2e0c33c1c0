import { NumberInput, Text } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useApiMutation } from "#web/core/api/api.ts";
import { formatDate } from "#web/core/format/format.ts";
import { isCode } from "#web/core/api/http.ts";
import { toast } from "#web/core/toast/toast.ts";
import { inDays } from "#web/learners/days.ts";
import { FormDialog } from "#web/core/dialog/FormDialog.tsx";
import { companies, type CompanyRow, spacedCode } from "#shared/companies.ts";

/** Days the old code goes on working unless somebody says otherwise; at most (shared/companies.ts). */
const GRACE = 7;
const MOST = 90;

/** A new access code; the old one goes on working for some days, so that posters do not fail at once. */
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
  const [days, setDays] = useState<number | string>(GRACE);
  const [failure, setFailure] = useState<unknown>(null);
  const rotate = useApiMutation(companies.rotateCode, { alsoInvalidate: ["dashboard"], quiet: true });
  const grace = Math.min(MOST, Math.max(0, Math.trunc(Number(days) || 0)));
  const code = spacedCode(company.accessCode);

  const submit = async () => {
    setFailure(null);
    try {
      const done = await rotate.mutateAsync({
        params: { id: company.id },
        body: { graceDays: grace, version: company.version },
      });
      toast.done(t("companies.newCode.done", { code: spacedCode(done.accessCode) }));
      onClose();
    } catch (error) {
      // Somebody else may just have made a new code: the dialog then names the one that is there now.
      if (isCode(error, "core.conflict")) await client.invalidateQueries({ queryKey: ["companies"] });
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
          : t("companies.newCode.textAtOnce", { code })}
      </Text>
      <NumberInput
        data-autofocus
        label={t("companies.newCode.grace")}
        description={t("companies.newCode.graceHint")}
        min={0}
        max={MOST}
        allowDecimal={false}
        allowNegative={false}
        value={days}
        onChange={setDays}
        maw={200}
      />
    </FormDialog>
  );
}

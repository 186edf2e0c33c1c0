import { Checkbox, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useApiMutation } from "#web/core/api/api.ts";
import { FormDialog } from "#web/core/dialog/FormDialog.tsx";
import { formatNumber } from "#web/core/format/format.ts";
import { toast } from "#web/core/toast/toast.ts";
import { MAX_ENTRIES, transcripts } from "#shared/transcripts/transcripts.ts";

type Props = { completed: number; onIssued: () => void; onClose: () => void };

/** Issues a transcript; what is left out cannot be added later. */
export function IssueDialog({ completed, onIssued, onClose }: Props) {
  const { t } = useTranslation();
  const [shown, setShown] = useState({ withScores: true, withTimes: true });
  const issue = useApiMutation(transcripts.issue, { quiet: true });
  const submit = () =>
    issue.mutate(
      { body: shown },
      {
        onSuccess: ({ number }) => {
          toast.done(t("transcripts.issued", { number }));
          onIssued();
          onClose();
        },
      },
    );
  return (
    <FormDialog
      opened
      onClose={onClose}
      title={t("transcripts.issueTitle")}
      submitLabel={t("transcripts.issue")}
      busy={issue.isPending}
      failure={issue.error}
      onSubmit={submit}
    >
      <Text>
        {completed > MAX_ENTRIES
          ? t("transcripts.issueLimited", { shown: formatNumber(MAX_ENTRIES), n: formatNumber(completed) })
          : t("transcripts.issueText", { count: completed })}
      </Text>
      <Stack gap="xs">
        {(["withScores", "withTimes"] as const).map((name) => (
          <Checkbox
            key={name}
            label={t(`transcripts.${name}`)}
            checked={shown[name]}
            onChange={(event) => setShown({ ...shown, [name]: event.currentTarget.checked })}
          />
        ))}
      </Stack>
      <Text c="dimmed">{t("transcripts.fixedHint")}</Text>
    </FormDialog>
  );
}

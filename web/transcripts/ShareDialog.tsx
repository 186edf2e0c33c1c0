import { Radio, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useApiMutation } from "#web/core/api/api.ts";
import { FormDialog } from "#web/core/dialog/FormDialog.tsx";
import { formatDate } from "#web/core/format/format.ts";
import { toast } from "#web/core/toast/toast.ts";
import { LINK_DAYS, type LinkDays, type Transcript, transcripts } from "#shared/transcripts/transcripts.ts";

/** Makes a link that expires. */
export function ShareDialog({
  transcript: { id, number, holder, link },
  onClose,
}: {
  transcript: Transcript;
  onClose: () => void;
}) {
  const { t } = useTranslation();
  const [days, setDays] = useState<LinkDays>(30);
  const share = useApiMutation(transcripts.share, { quiet: true });
  const submit = () =>
    share.mutate(
      { params: { id }, body: { days } },
      {
        onSuccess: (shared) => {
          toast.done(t("transcripts.share.done", { number, day: shared.link ? formatDate(shared.link.lastDay) : "" }));
          onClose();
        },
      },
    );
  return (
    <FormDialog
      opened
      onClose={onClose}
      title={t("transcripts.share.title", { number })}
      submitLabel={t(link ? "transcripts.share.renew" : "transcripts.share.submit")}
      busy={share.isPending}
      failure={share.error}
      onSubmit={submit}
    >
      <Text>{t("transcripts.share.text", { holder })}</Text>
      <Radio.Group
        label={t("transcripts.share.days")}
        value={String(days)}
        onChange={(value) => setDays(Number(value) as LinkDays)}
      >
        <Stack gap="xs" mt="xs">
          {LINK_DAYS.map((one) => (
            <Radio key={one} value={String(one)} label={t(`transcripts.share.day${one}`)} />
          ))}
        </Stack>
      </Radio.Group>
      {link && <Text c="dimmed">{t("transcripts.share.stays")}</Text>}
    </FormDialog>
  );
}

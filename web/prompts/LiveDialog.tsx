import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useApiMutation } from "#web/core/api/api.ts";
import { FormDialog } from "#web/core/dialog/FormDialog.tsx";
import { toast } from "#web/core/toast/toast.ts";
import { TextDiff } from "#web/prompts/TextDiff.tsx";
import { type PromptDetail, prompts } from "#shared/prompts/prompts.ts";

/** Shows what changes for people before a version becomes live. */
export function LiveDialog({
  prompt,
  versionId,
  onClose,
}: {
  prompt: PromptDetail;
  versionId: string;
  onClose: () => void;
}) {
  const { t } = useTranslation();
  const [failure, setFailure] = useState<unknown>(null);
  const setLive = useApiMutation(prompts.setLive, { quiet: true });
  const next = prompt.versions.find(({ id }) => id === versionId);
  const before = prompt.versions.find(({ id }) => id === prompt.live?.id);
  if (!next) return null;
  const { number } = next;
  const submit = async () => {
    try {
      await setLive.mutateAsync({ params: { id: prompt.id }, body: { versionId, version: prompt.version } });
      toast.done(t("prompts.nowLive", { number }));
      onClose();
    } catch (error) {
      setFailure(error);
    }
  };
  return (
    <FormDialog
      opened
      onClose={onClose}
      size={720}
      title={t("prompts.makeLive", { number })}
      submitLabel={t("prompts.makeLive", { number })}
      busy={setLive.isPending}
      failure={failure}
      onSubmit={submit}
    >
      <p style={{ margin: 0 }}>
        {before ? t("prompts.diffLine", { before: before.number, number }) : t("prompts.firstLive", { number })}
      </p>
      <TextDiff before={before?.body ?? ""} after={next.body} />
    </FormDialog>
  );
}

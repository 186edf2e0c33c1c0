import { TextInput } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import { useApiMutation } from "#web/core/api/api.ts";
import { FormDialog } from "#web/core/dialog/FormDialog.tsx";
import { toast } from "#web/core/toast/toast.ts";
import classes from "#web/lessons/author/transfer/transfer.module.css";
import { drafts } from "#shared/lessons/drafts.ts";

type Props = {
  course: { id: string; title: string };
  /** Sends what is not stored yet; rejects if that fails. */
  flush?: () => Promise<void>;
  opened: boolean;
  onClose: () => void;
};

/** Creates a course from the draft of another one, and opens it. */
export function DuplicateDialog({ course, flush, opened, onClose }: Props) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const copy = useApiMutation(drafts.copy, { quiet: true });
  const suggested = t("lessonDrafts.copy.suggested", { title: course.title }).slice(0, 200);
  const [typed, setTyped] = useState<string | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const [isMissing, setMissing] = useState(false);
  const close = () => {
    onClose();
    setTyped(null);
    setMissing(false);
    setFailure(null);
  };
  const submit = async () => {
    const title = (typed ?? suggested).trim();
    if (title === "") return setMissing(true);
    setFailure(null);
    setBusy(true);
    try {
      await flush?.();
      const made = await copy.mutateAsync({ params: { id: course.id }, body: { title } });
      close();
      await navigate(`/courses/${made.id}/edit`);
      toast.done(
        made.packages > 0
          ? t("lessonDrafts.copy.donePackages", { title, count: made.packages })
          : t("lessonDrafts.copy.done", { title }),
      );
    } catch (error) {
      setFailure(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <FormDialog
      opened={opened}
      onClose={close}
      title={t("lessonDrafts.copy.title")}
      submitLabel={t("lessonDrafts.copy.submit")}
      onSubmit={submit}
      busy={isBusy}
      failure={failure}
      size={480}
    >
      <p className={classes.line}>{t("lessonDrafts.copy.explanation")}</p>
      <TextInput
        label={t("lessonDrafts.copy.name")}
        value={typed ?? suggested}
        maxLength={200}
        required
        data-autofocus
        error={isMissing && t("lessonDrafts.copy.missing")}
        onChange={(event) => {
          setTyped(event.currentTarget.value);
          setMissing(false);
        }}
      />
    </FormDialog>
  );
}

import { Select, TextInput } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import { useApiMutation } from "#web/core/api/api.ts";
import { FormDialog } from "#web/core/dialog/FormDialog.tsx";
import { i18n } from "#web/core/i18n.ts";
import { drafts } from "#shared/lessons/drafts.ts";

const LANGUAGES = [
  "en de fr es it pt nl da sv nb fi is pl cs sk hu ro bg hr sl sr el tr uk ru et lv lt",
  "ar he fa hi zh ja ko vi th id",
].flatMap((codes) => codes.split(" "));

/** Asks for the title and the language of a course that is written here, and opens it. */
export function WriteCourseDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const create = useApiMutation(drafts.create, { quiet: true });
  const [title, setTitle] = useState("");
  const [language, setLanguage] = useState("en");
  const [isMissing, setMissing] = useState(false);
  const submit = async () => {
    if (title.trim() === "") return setMissing(true);
    const made = await create.mutateAsync({ body: { title: title.trim(), language } }).catch(() => null);
    if (!made) return;
    onClose();
    await navigate(`/courses/${made.id}/edit`);
  };
  const names = new Intl.DisplayNames([i18n.language], { type: "language" });
  return (
    <FormDialog
      opened={opened}
      onClose={onClose}
      title={t("lessonDrafts.create.title")}
      submitLabel={t("lessonDrafts.create.submit")}
      onSubmit={submit}
      busy={create.isPending}
      failure={create.error}
      size={480}
    >
      <TextInput
        label={t("lessonDrafts.create.name")}
        description={t("lessonDrafts.create.nameHint")}
        value={title}
        maxLength={200}
        required
        error={isMissing && t("lessonDrafts.create.nameMissing")}
        onChange={(event) => {
          setTitle(event.currentTarget.value);
          setMissing(false);
        }}
      />
      <Select
        label={t("lessonDrafts.create.language")}
        description={t("lessonDrafts.create.languageHint")}
        searchable
        allowDeselect={false}
        data={LANGUAGES.map((value) => ({ value, label: names.of(value) ?? value }))}
        value={language}
        onChange={(value) => value && setLanguage(value)}
      />
    </FormDialog>
  );
}

import { Button, MultiSelect, Select, Stack, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { queryFor, useApiMutation } from "#web/core/api/api.ts";
import { toast } from "#web/core/toast/toast.ts";
import { CompaniesInput } from "#web/documents/CompaniesInput.tsx";
import { languageName } from "#web/documents/languageName.ts";
import { DayInput } from "#web/learners/DayInput.tsx";
import { courses } from "#shared/courses/courses.ts";
import { type DocumentDetail, documents } from "#shared/documents/documents.ts";

/** Languages whose words are stemmed; words of others must match exactly. */
const LANGUAGES =
  "ar hy eu ca da nl en fi fr de el hi hu id ga it lt ne no pt ro ru sr es sv ta tr yi zh ja ko pl cs uk vi th".split(
    " ",
  );

/** Settings of a document; a new title or language indexes it again. */
export function DocumentSettings({ document }: { document: DocumentDetail }) {
  const { t } = useTranslation();
  const { data: allCourses } = useQuery(queryFor(courses.choices));
  const [values, setValues] = useState({
    title: document.title,
    folder: document.folder,
    tags: document.tags.join(", "),
    companyIds: document.companies.map(({ id }) => id),
    courseIds: document.courses.map(({ id }) => id),
    reviewBy: document.reviewBy,
    language: document.language ?? "",
  });
  const set = (change: Partial<typeof values>) => setValues((before) => ({ ...before, ...change }));
  const update = useApiMutation(documents.update);
  const save = async (event: FormEvent) => {
    event.preventDefault();
    const { tags, language, ...rest } = values;
    const list = tags.split(",").flatMap((tag) => tag.trim() || []);
    await update.mutateAsync({
      params: { id: document.id },
      body: { ...rest, tags: list, language: language || null, version: document.version },
    });
    toast.done(t("documents.settings.saved"));
  };
  const choices = (known: { id: string; name: string }[], listed: { id: string; name: string }[]) => [
    ...new Map([...known, ...listed].map(({ id, name }) => [id, { value: id, label: name }])).values(),
  ];
  const detected = languageName((document.live ?? document.latest).language);
  return (
    <form onSubmit={(event) => void save(event)}>
      <Stack gap="md" maw={560}>
        <TextInput
          label={t("documents.settings.title")}
          value={values.title}
          onChange={(event) => set({ title: event.currentTarget.value })}
          maxLength={200}
        />
        <TextInput
          label={t("documents.settings.folder")}
          description={t("documents.uploading.folderHint")}
          value={values.folder}
          onChange={(event) => set({ folder: event.currentTarget.value })}
          maxLength={200}
        />
        <TextInput
          label={t("documents.settings.tags")}
          description={t("documents.settings.tagsHint")}
          value={values.tags}
          onChange={(event) => set({ tags: event.currentTarget.value })}
        />
        <CompaniesInput
          known={document.companies}
          value={values.companyIds}
          onChange={(companyIds) => set({ companyIds })}
        />
        <MultiSelect
          label={t("documents.settings.courses")}
          data={choices(
            document.courses,
            (allCourses?.items ?? []).map(({ id, title }) => ({ id, name: title })),
          )}
          value={values.courseIds}
          onChange={(courseIds) => set({ courseIds })}
          searchable
          clearable
        />
        <DayInput
          label={t("documents.settings.reviewBy")}
          value={values.reviewBy}
          onChange={(reviewBy: string | null) => set({ reviewBy })}
        />
        <Select
          label={t("documents.settings.language")}
          value={values.language}
          onChange={(language) => set({ language: language ?? "" })}
          allowDeselect={false}
          searchable
          data={[
            { value: "", label: t("documents.settings.detected", { language: detected || "–" }) },
            ...LANGUAGES.map((code) => ({ value: code, label: languageName(code) })).toSorted((a, b) =>
              a.label.localeCompare(b.label),
            ),
          ]}
        />
        <div>
          <Button type="submit" loading={update.isPending} disabled={values.title.trim() === ""}>
            {t("documents.settings.save")}
          </Button>
        </div>
      </Stack>
    </form>
  );
}

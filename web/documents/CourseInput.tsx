import { Select } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { queryFor } from "#web/core/api/api.ts";
import { courses } from "#shared/courses/courses.ts";

type Props = { value: string | null; onChange: (id: string | null) => void };

/** The course whose text becomes a document. */
export function CourseInput({ value, onChange }: Props) {
  const { t } = useTranslation();
  const { data } = useQuery(queryFor(courses.choices));
  return (
    <Select
      label={t("documents.course.course")}
      description={t("documents.course.hint")}
      placeholder={t("documents.course.choose")}
      data={(data?.items ?? []).map(({ id, title }) => ({ value: id, label: title }))}
      value={value}
      onChange={onChange}
      searchable
      required
      data-autofocus
    />
  );
}

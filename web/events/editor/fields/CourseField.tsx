import { Select } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { OptionalLabel } from "#web/core/display/OptionalLabel.tsx";
import { queryFor } from "#web/core/api/api.ts";
import { courses } from "#shared/courses/courses.ts";

type Props = {
  label: string;
  description?: ReactNode;
  value: string | null;
  onChange: (id: string | null) => void;
  error?: ReactNode;
};

/** Selects a published course, or none. */
export function CourseField({ label, ...rest }: Props) {
  const { t } = useTranslation();
  const { data } = useQuery(queryFor(courses.choices));
  const published = (data?.items ?? []).filter(({ status }) => status === "published");
  return (
    <Select
      {...rest}
      label={<OptionalLabel>{label}</OptionalLabel>}
      searchable
      clearable
      clearButtonProps={{ "aria-label": t("core.remove") }}
      nothingFoundMessage={t("web.table.noMatches")}
      data={published.map(({ id, title }) => ({ value: id, label: title }))}
    />
  );
}

import { MultiSelect } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { queryFor } from "#web/core/api/api.ts";
import { courses } from "#shared/courses/courses.ts";

export type ChosenCourse = { id: string; title: string };
type Props = {
  value: string[];
  onChange: (ids: string[], courses: ChosenCourse[]) => void;
  label: ReactNode;
  error?: ReactNode;
  autoFocus?: boolean;
};

/** Selects one or more published courses. */
export function CourseSelect({ value, onChange, label, error, autoFocus }: Props) {
  const { t } = useTranslation();
  const { data } = useQuery(queryFor(courses.choices));
  const published = data?.items.filter(({ status }) => status === "published");
  // Closes after each selection, because it would cover the rest of the dialog.
  const [opened, { open, close }] = useDisclosure();
  const none = published?.length === 0;
  return (
    <MultiSelect
      label={label}
      error={error}
      searchable
      clearable
      clearButtonProps={{ "aria-label": t("learners.clear") }}
      hidePickedOptions
      value={value}
      onChange={(ids) =>
        onChange(
          ids,
          (published ?? []).filter(({ id }) => ids.includes(id)),
        )
      }
      disabled={none}
      placeholder={value.length > 0 ? "" : t("learners.chooseCourses")}
      nothingFoundMessage={t("learners.noCourseFound")}
      {...(none && { description: t("learners.noCoursePublished") })}
      {...(autoFocus && { "data-autofocus": true })}
      dropdownOpened={opened}
      onDropdownOpen={open}
      onDropdownClose={close}
      onOptionSubmit={close}
      data={(published ?? []).map(({ id, title }) => ({ value: id, label: title }))}
    />
  );
}

import { Select } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { queryFor } from "#web/core/api/api.ts";
import { courses } from "#shared/courses/courses.ts";

type Props = { label: string; taken: ReadonlySet<string>; onPick: (courseId: string) => void; onClose: () => void };

/** Chooses a course that the path does not have yet. */
export function CoursePicker({ label, taken, onPick, onClose }: Props) {
  const { t } = useTranslation();
  const { data } = useQuery(queryFor(courses.choices));
  return (
    <Select
      aria-label={label}
      placeholder={t("paths.editor.chooseCourse")}
      searchable
      data-autofocus
      autoFocus
      defaultDropdownOpened
      maxDropdownHeight={280}
      nothingFoundMessage={t("web.table.noMatches")}
      data={(data?.items ?? []).flatMap(({ id, title, status }) =>
        taken.has(id)
          ? []
          : [{ value: id, label: status === "draft" ? `${title} (${t("paths.editor.draftCourse")})` : title }],
      )}
      onChange={(id) => id && onPick(id)}
      onBlur={onClose}
      onKeyDown={(event) => event.key === "Escape" && onClose()}
    />
  );
}

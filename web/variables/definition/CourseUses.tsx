import { ActionIcon, Group, Input, Select, Stack, Text } from "@mantine/core";
import { IconX } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { queryFor } from "#web/core/api/api.ts";
import { SourceSelect } from "#web/variables/definition/SourceSelect.tsx";
import type { CourseUse, VariableForm } from "#web/variables/definition/useVariableForm.ts";
import { courses } from "#shared/courses/courses.ts";
import { variableAccess } from "#shared/variables/variables.ts";

/** The courses that use a variable, with their access. */
export function CourseUses({ form }: { form: VariableForm }) {
  const { t } = useTranslation();
  const { data } = useQuery(queryFor(courses.choices));
  const chosen = form.values.courses;
  const setChosen = (uses: CourseUse[]) => form.setFieldValue("courses", uses);
  const free = (data?.items ?? []).filter(({ id }) => !chosen.some(({ courseId }) => courseId === id));
  const add = (courseId: string | null) => {
    const course = free.find(({ id }) => id === courseId);
    if (course) setChosen([...chosen, { courseId: course.id, title: course.title, access: "both", path: null }]);
  };
  return (
    <Input.Wrapper
      label={t("variables.form.courses")}
      description={t("variables.form.coursesHint")}
      error={form.errors.courses}
    >
      <Stack gap="xs" mt={6}>
        {chosen.map((use) => (
          <Group key={use.courseId} gap="xs">
            <Text flex="1 1 180px">{use.title}</Text>
            <Select
              flex="1 0 150px"
              maw={190}
              allowDeselect={false}
              aria-label={t("variables.form.accessOf", { course: use.title })}
              value={use.access}
              data={variableAccess.options.map((value) => ({ value, label: t(`variables.accesses.${value}`) }))}
              onChange={(access) =>
                setChosen(chosen.map((one) => (one === use ? { ...one, access: access as CourseUse["access"] } : one)))
              }
            />
            <ActionIcon
              aria-label={t("variables.form.removeCourse", { course: use.title })}
              title={t("variables.form.removeCourse", { course: use.title })}
              onClick={() => setChosen(chosen.filter((one) => one !== use))}
            >
              <IconX size={18} stroke={1.7} />
            </ActionIcon>
            {use.access !== "read" && (
              <SourceSelect
                use={use}
                onChange={(path) => setChosen(chosen.map((one) => (one === use ? { ...one, path } : one)))}
              />
            )}
          </Group>
        ))}
        <Select
          searchable
          value={null}
          aria-label={t("variables.form.chooseCourse")}
          placeholder={t("variables.form.chooseCourse")}
          data={free.map(({ id, title }) => ({ value: id, label: title }))}
          onChange={add}
        />
      </Stack>
    </Input.Wrapper>
  );
}

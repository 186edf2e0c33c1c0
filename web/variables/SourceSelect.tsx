import { Select, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { queryFor } from "#web/core/api/api.ts";
import type { CourseUse } from "#web/variables/useVariableForm.ts";
import { type SentValue, variables } from "#shared/variables.ts";

type Props = { use: CourseUse; onChange: (path: string | null) => void };

/** Chooses a value that the package of a course sends anyway, so that it sets the variable without a change of the package. */
export function SourceSelect({ use, onChange }: Props) {
  const { t } = useTranslation();
  const { data } = useQuery(queryFor(variables.sentValues, { query: { courseId: use.courseId } }));
  const sent = data?.items ?? [];
  const known = new Map(sent.map((value) => [value.path, value]));
  const paths = use.path !== null && !known.has(use.path) ? [use.path, ...known.keys()] : [...known.keys()];
  if (data && paths.length === 0) return null;
  return (
    <Select
      w="100%"
      mb="xs"
      searchable
      clearable
      clearButtonProps={{ "aria-label": t("variables.form.clearSource") }}
      label={t("variables.form.source")}
      aria-label={t("variables.form.sourceOf", { course: use.title })}
      placeholder={t("variables.form.noSource")}
      value={use.path}
      onChange={onChange}
      maxDropdownHeight={280}
      data={paths.map((path) => ({ value: path, label: nameOf(path, known.get(path)) }))}
      renderOption={({ option }) => <Option name={option.label} sent={known.get(option.value)} />}
    />
  );
}

const nameOf = (path: string, sent: SentValue | undefined) => (sent?.question ? `${sent.question} (${path})` : path);

function Option({ name, sent }: { name: string; sent: SentValue | undefined }) {
  const { t } = useTranslation();
  return (
    <span>
      <Text size="sm">{name}</Text>
      {sent && (
        <Text size="xs" c="dimmed">
          {t("variables.form.sourceSamples", {
            part: sent.part,
            samples: sent.samples.join(" · "),
            count: sent.attempts,
          })}
        </Text>
      )}
    </span>
  );
}

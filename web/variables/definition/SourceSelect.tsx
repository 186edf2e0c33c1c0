import type { TFunction } from "i18next";
import { type OptionsFilter, Select, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { queryFor } from "#web/core/api/api.ts";
import type { CourseUse } from "#web/variables/definition/useVariableForm.ts";
import { parseToolPath } from "#shared/variables/variablePaths.ts";
import { type SentValue, variables } from "#shared/variables/variables.ts";

type Props = { use: CourseUse; onChange: (path: string | null) => void };
const groups = ["sent", "storyline", "captivate", "h5p"] as const;

/**
 * Selects the package value that sets the variable without a change of the package: one that it sends by SCORM, or one
 * that its authoring tool exposes. Names that the files of the package do not list can be typed as a path.
 */
export function SourceSelect({ use, onChange }: Props) {
  const { t } = useTranslation();
  const [search, setSearch] = useState("");
  const { data } = useQuery(queryFor(variables.sentValues, { query: { courseId: use.courseId } }));
  const sentByPath = new Map((data?.items ?? []).map((value) => [value.path, value]));
  const typed = search.trim();
  const others = [use.path, parseToolPath(typed) ? typed : null].filter(
    (path) => path !== null && !sentByPath.has(path),
  );
  const paths = [...new Set(others as string[]), ...sentByPath.keys()];
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
      nothingFoundMessage={data && t("variables.form.sourceUnknown")}
      value={use.path}
      onChange={onChange}
      onSearchChange={setSearch}
      maxDropdownHeight={280}
      data={groups.flatMap((group) => {
        const items = paths
          .filter((path) => groupOf(path) === group)
          .map((path) => ({ value: path, label: nameOf(path, sentByPath.get(path), t) }));
        return items.length > 0 ? { group: t(`variables.form.sourceGroups.${group}`), items } : [];
      })}
      filter={({ options, search: words }) => filterGroups(options, words.toLowerCase().trim())}
      renderOption={({ option }) => <Option name={option.label} sent={sentByPath.get(option.value)} />}
    />
  );
}

const groupOf = (path: string) => parseToolPath(path)?.kind ?? "sent";

function nameOf(path: string, sent: SentValue | undefined, t: TFunction) {
  const tool = parseToolPath(path);
  const question = sent?.question;
  if (!tool) return question ? `${question} (${path})` : path;
  return tool.kind === "h5p" ? `${question || tool.id}: ${t(`variables.form.h5pFields.${tool.field}`)}` : tool.name;
}

type Options = Parameters<OptionsFilter<string>>[0]["options"];

/** Filters by name and by path, so that a typed path finds its option. */
const filterGroups = (options: Options, words: string): Options =>
  options.flatMap((one) => {
    if (!("group" in one)) return one;
    const items = one.items.filter(
      (item) =>
        typeof item === "object" && "value" in item && `${item.label}\n${item.value}`.toLowerCase().includes(words),
    );
    return items.length > 0 ? { ...one, items } : [];
  });

function Option({ name, sent }: { name: string; sent: SentValue | undefined }) {
  const { t } = useTranslation();
  return (
    <span>
      <Text size="sm">{name}</Text>
      {sent && sent.attempts > 0 && (
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

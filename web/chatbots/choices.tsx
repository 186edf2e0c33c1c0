import { MultiSelect, type MultiSelectProps } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { queryFor } from "#web/core/api/api.ts";
import { buttonPrompts } from "#shared/prompts/buttonPrompts.ts";
import { courses } from "#shared/courses/courses.ts";
import { documents } from "#shared/documents/documents.ts";
import { variables } from "#shared/variables/variables.ts";

type Props = Omit<MultiSelectProps, "data">;
const SHOWN = 200;

function Choice({ data, ...props }: MultiSelectProps) {
  const { t } = useTranslation();
  return (
    <MultiSelect
      searchable
      hidePickedOptions
      nothingFoundMessage={t("chatbots.fields.nothing")}
      data={data ?? []}
      {...props}
    />
  );
}

/** Documents by title; those that are not ready are marked. */
export function DocumentChoice(props: Props) {
  const { t } = useTranslation();
  const { data } = useQuery(queryFor(documents.list, { query: { size: SHOWN } }));
  const options = (data?.items ?? []).map(({ id, title, live }) => ({
    value: id,
    label: live ? title : t("chatbots.fields.notReady", { title }),
  }));
  return <Choice {...props} data={options} />;
}

export function CourseChoice(props: Props) {
  const { data } = useQuery(queryFor(courses.choices));
  return <Choice {...props} data={(data?.items ?? []).map(({ id, title }) => ({ value: id, label: title }))} />;
}

export function VariableChoice(props: Props) {
  const { data } = useQuery(queryFor(variables.list, { query: { size: SHOWN } }));
  return <Choice {...props} data={(data?.items ?? []).map(({ id, label }) => ({ value: id, label }))} />;
}

/** Active button prompts. */
export function ButtonChoice(props: Props) {
  const { data } = useQuery(queryFor(buttonPrompts.list, { query: { size: SHOWN } }));
  const usable = (data?.items ?? []).filter(({ status }) => status !== "archived");
  return <Choice {...props} data={usable.map(({ id, label }) => ({ value: id, label }))} />;
}

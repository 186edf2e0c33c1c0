import { Anchor, Button, Table } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { CopyField } from "#web/core/display/CopyField.tsx";
import { EmptyState } from "#web/core/layout/EmptyState.tsx";
import { Section } from "#web/core/layout/Section.tsx";
import type { Variable } from "#shared/variables/variables.ts";

/** The courses that use a variable, and how their content reads and writes it. */
export function CoursesTab({ variable, onEdit }: { variable: Variable; onEdit: () => void }) {
  const { t } = useTranslation();
  if (variable.courses.length === 0)
    return (
      <EmptyState
        title={t("variables.page.notUsed")}
        text={t("variables.page.notUsedText")}
        action={<Button onClick={onEdit}>{t("variables.menu.edit")}</Button>}
      />
    );
  return (
    <>
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t("variables.course")}</Table.Th>
            <Table.Th>{t("variables.form.access")}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {variable.courses.map(({ courseId, title, access }) => (
            <Table.Tr key={courseId}>
              <Table.Td>
                <Anchor component={Link} to={`/courses/${courseId}`}>
                  {title}
                </Anchor>
              </Table.Td>
              <Table.Td>{t(`variables.accesses.${access}`)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <Section title={t("variables.page.snippet")}>
        <CopyField
          label={t("variables.page.snippet")}
          text={`Lyceum.set("${variable.key}", ${sampleOf(variable)})`}
          hint={t("variables.page.snippetHint")}
        />
      </Section>
    </>
  );
}

const samples: Record<Variable["type"], string> = {
  number: "7",
  text: '"Listen first"',
  boolean: "true",
  choice: '"facts"',
  multi: '["facts", "feelings"]',
  duration: '"PT1M30S"',
  date: '"2026-11-22"',
  json: '{ "step": 3 }',
};
/** A value that the definition accepts, as JavaScript. */
function sampleOf({ type, constraints: { min, options } }: Variable) {
  if (type === "choice" && options?.[0]) return JSON.stringify(options[0]);
  if (type === "multi" && options?.[0]) return JSON.stringify([options[0]]);
  return min !== undefined && min > 7 ? String(min) : samples[type];
}

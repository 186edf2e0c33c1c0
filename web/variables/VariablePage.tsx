import { Button, Group, Tabs } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconPencil, IconTable } from "@tabler/icons-react";
import { useSuspenseQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Link, useParams, useSearchParams } from "react-router";
import { queryFor } from "#web/core/api/api.ts";
import { Pill } from "#web/core/display/Pill.tsx";
import { PageHead } from "#web/core/layout/PageHead.tsx";
import { CoursesTab } from "#web/variables/CoursesTab.tsx";
import { KeyText } from "#web/variables/KeyText.tsx";
import { ValuesTab } from "#web/variables/statistics/ValuesTab.tsx";
import { VariableDialog } from "#web/variables/definition/VariableDialog.tsx";
import { typeText } from "#web/variables/valueText.ts";
import { variables } from "#shared/variables/variables.ts";

/** One variable: statistics, the values of learners and companies, and the courses that use it. */
export function VariablePage() {
  const { t } = useTranslation();
  const { id = "" } = useParams();
  const { data: variable } = useSuspenseQuery(queryFor(variables.get, { params: { id } }));
  const [params, setParams] = useSearchParams();
  const [editing, edit] = useDisclosure();
  const tab = params.get("tab") === "courses" ? "courses" : "values";
  const facts = t("variables.page.facts", {
    type: typeText(variable, t),
    scope: t(`variables.scopeTexts.${variable.scope}`).toLowerCase(),
    mode: t(`variables.modes.${variable.writeMode}`),
  });
  return (
    <>
      <PageHead
        title={variable.label}
        parent={{ to: "/variables", label: t("variables.title") }}
        line={
          <Group gap="xs" component="span">
            <KeyText boxed>{variable.key}</KeyText>
            {facts}
            {variable.status === "archived" && <Pill>{t("variables.is.archived")}</Pill>}
            {variable.privacy !== "none" && <Pill>{t(`variables.privacies.${variable.privacy}`)}</Pill>}
          </Group>
        }
        actions={
          <>
            <Button
              component={Link}
              to={`/admin/learner-data?variableId=${variable.id}`}
              variant="default"
              leftSection={<IconTable size={18} stroke={1.7} />}
            >
              {t("rawData.title")}
            </Button>
            <Button leftSection={<IconPencil size={18} stroke={1.7} />} onClick={edit.open}>
              {t("variables.menu.edit")}
            </Button>
          </>
        }
      />
      <Tabs
        value={tab}
        onChange={(next) => setParams(next === "courses" ? { tab: next } : {}, { preventScrollReset: true })}
        keepMounted={false}
      >
        <Tabs.List mb="lg">
          <Tabs.Tab value="values">{t("variables.page.tabs.values")}</Tabs.Tab>
          <Tabs.Tab value="courses">
            {t("variables.page.tabs.courses")} {variable.courses.length}
          </Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="values">
          <ValuesTab variable={variable} />
        </Tabs.Panel>
        <Tabs.Panel value="courses">
          <CoursesTab variable={variable} onEdit={edit.open} />
        </Tabs.Panel>
      </Tabs>
      {editing && <VariableDialog key={variable.version} opened variable={variable} onClose={edit.close} />}
    </>
  );
}

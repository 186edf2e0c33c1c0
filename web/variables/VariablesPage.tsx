import { Button } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { queryFor } from "#web/core/api/api.ts";
import { Num } from "#web/core/display/Num.tsx";
import { Pill } from "#web/core/display/Pill.tsx";
import { Time } from "#web/core/display/Time.tsx";
import { PageHead } from "#web/core/layout/PageHead.tsx";
import { DataTable } from "#web/core/table/DataTable.tsx";
import { DistributionBars } from "#web/variables/statistics/DistributionBars.tsx";
import { KeyText } from "#web/variables/KeyText.tsx";
import { MergeDialog } from "#web/variables/definition/MergeDialog.tsx";
import { NewKeys } from "#web/variables/definition/NewKeys.tsx";
import { useVariableActions } from "#web/variables/useVariableActions.ts";
import { VariableDialog } from "#web/variables/definition/VariableDialog.tsx";
import { VariableMenu } from "#web/variables/VariableMenu.tsx";
import classes from "#web/variables/variables.module.css";
import { typeText } from "#web/variables/valueText.ts";
import { courses } from "#shared/courses/courses.ts";
import { type Variable, variablePrivacy, variables, variableType } from "#shared/variables/variables.ts";

/** The definitions of variables with their distributions, and the keys without a definition. */
export function VariablesPage() {
  const { t } = useTranslation();
  const actions = useVariableActions();
  const [adding, add] = useDisclosure();
  const [edited, setEdited] = useState<Variable | null>(null);
  const [merged, setMerged] = useState<Variable | null>(null);
  const { data: allCourses } = useQuery(queryFor(courses.choices));
  const addButton = (
    <Button leftSection={<IconPlus size={18} stroke={1.7} />} onClick={add.open}>
      {t("variables.add")}
    </Button>
  );
  const coursesOf = (row: Variable) => {
    const [first, ...others] = row.courses;
    if (!first) return <Num value={null} />;
    return others.length === 0 ? first.title : `${first.title} ${t("variables.more", { count: others.length })}`;
  };
  return (
    <>
      <PageHead
        title={t("variables.title")}
        line={t("variables.line")}
        actions={
          <>
            <Button variant="default" component={Link} to="/admin/delete-course-variables">
              {t("variables.deleteValues")}
            </Button>
            {addButton}
          </>
        }
      />
      <NewKeys />
      <DataTable
        hasViews
        list={variables.list}
        sort="label"
        search={t("variables.search")}
        noun={t("variables.noun")}
        filters={[
          {
            key: "courseId",
            label: t("variables.course"),
            options: (allCourses?.items ?? []).map(({ id, title }) => ({ value: id, label: title })),
          },
          {
            key: "type",
            label: t("variables.type"),
            options: variableType.options.map((value) => ({ value, label: t(`variables.types.${value}`) })),
          },
          {
            key: "privacy",
            label: t("variables.privacy"),
            options: variablePrivacy.options.map((value) => ({ value, label: t(`variables.privacies.${value}`) })),
          },
          {
            key: "status",
            label: t("variables.status"),
            options: (["active", "archived"] as const).map((value) => ({ value, label: t(`variables.is.${value}`) })),
          },
        ]}
        rowKey={(row) => row.id}
        name={(row) => row.label}
        to={(row) => `/variables/${row.id}`}
        note={(row) => <KeyText>{row.key}</KeyText>}
        badge={(row) => row.status === "archived" && <Pill>{t("variables.is.archived")}</Pill>}
        columns={[
          { key: "label", head: t("variables.variable"), sort: true },
          {
            key: "type",
            head: t("variables.type"),
            sort: true,
            render: (row) => <span className={classes.oneLine}>{typeText(row, t)}</span>,
          },
          { key: "courses", head: t("variables.courses"), minor: true, width: 220, render: coursesOf },
          { key: "values", head: t("variables.values"), render: (row) => <DistributionBars variable={row} /> },
          {
            key: "learners",
            head: t("variables.learners"),
            align: "right",
            sort: true,
            descendingFirst: true,
            render: (row) => <Num value={row.learners} />,
          },
          {
            key: "lastValueAt",
            head: t("variables.lastValue"),
            sort: true,
            descendingFirst: true,
            render: (row) => <Time at={row.lastValueAt} />,
          },
        ]}
        phone={(row) => ({
          line: <KeyText>{row.key}</KeyText>,
          side: typeText(row, t),
          sideLine: t("variables.learnerCount", { count: row.learners }),
          extra: <DistributionBars variable={row} />,
        })}
        menu={(row) => <VariableMenu variable={row} actions={actions} onEdit={setEdited} onMerge={setMerged} />}
        empty={{ title: t("variables.none"), text: t("variables.noneText"), action: addButton }}
      />
      {adding && <VariableDialog opened onClose={add.close} />}
      {edited && <VariableDialog key={edited.id} opened variable={edited} onClose={() => setEdited(null)} />}
      {merged && <MergeDialog key={merged.id} variable={merged} onClose={() => setMerged(null)} />}
    </>
  );
}

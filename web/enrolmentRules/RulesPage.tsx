import { Button, Menu } from "@mantine/core";
import { IconPencil, IconPlayerPause, IconPlayerPlay, IconPlus, IconTrash } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { Link, useNavigate } from "react-router";
import { Cover } from "#web/core/brand/Cover.tsx";
import { Num } from "#web/core/display/Num.tsx";
import { StatusDot } from "#web/core/display/StatusDot.tsx";
import { PageHead } from "#web/core/layout/PageHead.tsx";
import { DataTable } from "#web/core/table/DataTable.tsx";
import { useCompanies } from "#web/courses/admin/useCompanies.ts";
import { dueText } from "#web/courses/dueText.ts";
import classes from "#web/enrolmentRules/enrolmentRules.module.css";
import { useRuleActions } from "#web/enrolmentRules/useRuleActions.ts";
import { ruleText } from "#web/groups/ruleText.ts";
import { enrolmentRules, type Rule, ruleState } from "#shared/enrolmentRules/enrolmentRules.ts";

const icon = { size: 18, stroke: 1.7 };
export const tones = { draft: "idle", active: "ok", paused: "warn" } as const;

/** Rules that enrol people, for admins. */
export function RulesPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const companies = useCompanies();
  const actions = useRuleActions();
  const add = (
    <Button component={Link} to="/enrolment-rules/new" leftSection={<IconPlus {...icon} />}>
      {t("enrolmentRules.add")}
    </Button>
  );
  const gets = ({ courses: [first, ...others] }: Rule) =>
    others.length > 0
      ? t("enrolmentRules.moreCourses", { title: first?.title, count: others.length })
      : (first?.title ?? "");
  const who = ({ condition, names, company }: Rule) => {
    if (condition) return ruleText(condition, names);
    return company ? t("enrolmentRules.everybodyAt", { company }) : t("enrolmentRules.everybody");
  };
  const state = (row: Rule) => <StatusDot tone={tones[row.state]}>{t(`enrolmentRules.states.${row.state}`)}</StatusDot>;
  return (
    <>
      <PageHead title={t("enrolmentRules.title")} line={t("enrolmentRules.lead")} actions={add} />
      <DataTable<Rule>
        list={enrolmentRules.list}
        sort="name"
        search={t("enrolmentRules.search")}
        noun={t("enrolmentRules.noun")}
        filters={[
          {
            key: "companyId",
            label: t("enrolmentRules.company"),
            options: companies.map(({ id, name }) => ({ value: id, label: name })),
          },
          {
            key: "state",
            label: t("enrolmentRules.state"),
            options: ruleState.options.map((value) => ({ value, label: t(`enrolmentRules.states.${value}`) })),
          },
        ]}
        rowKey={(row) => row.id}
        name={(row) => row.name}
        to={(row) => `/enrolment-rules/${row.id}`}
        mark={(row) => <Cover code={row.courses[0]?.code ?? row.id} tile />}
        note={(row) => (
          <span className={classes.note}>
            <span>{gets(row)}</span>
            <span>{dueText(row.due)}</span>
          </span>
        )}
        columns={[
          { key: "name", head: t("enrolmentRules.rule"), sort: true },
          {
            key: "who",
            head: t("enrolmentRules.fields.condition"),
            minor: true,
            render: (row) => (
              <span className={classes.who} title={who(row)}>
                {who(row)}
              </span>
            ),
          },
          {
            key: "company",
            head: t("enrolmentRules.company"),
            minor: true,
            width: 170,
            render: (row) => row.company ?? t("enrolmentRules.allCompanies"),
          },
          { key: "state", head: t("enrolmentRules.state"), width: 110, render: state },
          {
            key: "enrolled",
            head: t("enrolmentRules.enrolled"),
            align: "right",
            width: 120,
            render: (row) => (
              <span className={classes.figures}>
                <Num value={row.enrolled} />
                {row.overdue > 0 && (
                  <span className={classes.overdue}>{t("enrolmentRules.overdue", { count: row.overdue })}</span>
                )}
              </span>
            ),
          },
        ]}
        menu={(row) => (
          <>
            <Menu.Item
              leftSection={<IconPencil {...icon} />}
              onClick={() => void navigate(`/enrolment-rules/${row.id}`)}
            >
              {t("enrolmentRules.edit")}
            </Menu.Item>
            {row.state === "active" && (
              <Menu.Item
                leftSection={<IconPlayerPause {...icon} />}
                onClick={() => void actions.setState(row, "paused")}
              >
                {t("enrolmentRules.pause")}
              </Menu.Item>
            )}
            {row.state !== "active" && (
              // Its page shows first whom it enrols.
              <Menu.Item
                leftSection={<IconPlayerPlay {...icon} />}
                onClick={() => void navigate(`/enrolment-rules/${row.id}`)}
              >
                {t("enrolmentRules.switchOn")}
              </Menu.Item>
            )}
            <Menu.Item color="red" leftSection={<IconTrash {...icon} />} onClick={() => actions.askToRemove(row)}>
              {t("enrolmentRules.remove")}
            </Menu.Item>
          </>
        )}
        phone={(row) => ({ line: gets(row), side: <Num value={row.enrolled} />, extra: state(row) })}
        empty={{ title: t("enrolmentRules.none"), text: t("enrolmentRules.noneText"), action: add }}
      />
    </>
  );
}

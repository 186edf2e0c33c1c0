import { Button, Menu } from "@mantine/core";
import { IconUserMinus, IconUserPlus } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { useSearchParams } from "react-router";
import { useApiMutation } from "#web/core/api/api.ts";
import { PersonMark } from "#web/core/brand/PersonMark.tsx";
import { confirm } from "#web/core/dialog/confirm.ts";
import { Colonnade } from "#web/core/display/Colonnade.tsx";
import { nameOf } from "#web/core/display/person.ts";
import { StatusDot } from "#web/core/display/StatusDot.tsx";
import { formatDate } from "#web/core/format/format.ts";
import { fetchAllRows, saveCsv } from "#web/core/table/csv.ts";
import { DataTable } from "#web/core/table/DataTable.tsx";
import { toast } from "#web/core/toast/toast.ts";
import { useCompanies } from "#web/courses/admin/useCompanies.ts";
import classes from "#web/paths/paths.module.css";
import { learnerState, type PathDetail, type PathLearner, paths, stepState } from "#shared/paths/paths.ts";
import { titleOf } from "#shared/paths/steps.ts";

const tones = { active: "active", overdue: "bad", completed: "ok" } as const;
type Props = { path: PathDetail; titles: ReadonlyMap<string, string>; onAssign: () => void };

/** The people on a path: their next step, its due date and their progress. */
export function LearnersTab({ path, titles, onAssign }: Props) {
  const { t } = useTranslation();
  const companies = useCompanies();
  const withdraw = useApiMutation(paths.withdraw, { quiet: true });
  const params = { id: path.id };
  const ask = (rows: PathLearner[], done: () => void = () => {}) =>
    confirm({
      title:
        rows.length === 1
          ? t("paths.people.withdrawTitle", { name: nameOf(rows[0] as PathLearner) })
          : t("paths.people.withdrawMany", { count: rows.length }),
      text: t("paths.people.withdrawText"),
      confirmLabel: t("paths.people.withdraw"),
      cancelLabel: t("core.cancel"),
      danger: true,
      onConfirm: async () => {
        const { changed } = await withdraw.mutateAsync({ params, body: { userIds: rows.map((row) => row.userId) } });
        toast.done(t("paths.people.withdrawn", { count: changed }));
        done();
      },
    });
  const state = (row: PathLearner) => (
    <StatusDot tone={tones[row.state]}>{t(`paths.people.states.${row.state}`)}</StatusDot>
  );
  const progress = (row: PathLearner) => (
    <Colonnade total={row.steps} done={row.done} label={t("paths.mine.stepOf", { done: row.done, steps: row.steps })} />
  );
  const isStepChosen = useSearchParams()[0].has("step");
  const canAssign = path.live !== null && path.status !== "archived";
  return (
    <DataTable<PathLearner>
      list={paths.learners}
      params={params}
      sort="name"
      search={t("paths.people.search")}
      noun={t("paths.people.noun")}
      filters={[
        {
          key: "state",
          label: t("paths.people.state"),
          options: learnerState.options.map((value) => ({ value, label: t(`paths.people.states.${value}`) })),
        },
        {
          key: "companyId",
          label: t("paths.people.company"),
          options: companies.map(({ id, name }) => ({ value: id, label: name })),
        },
        {
          key: "step",
          label: t("paths.people.at"),
          options: path.draft.map((step, at) => ({ value: step.id, label: `${at + 1}. ${titleOf(step, titles)}` })),
        },
        ...(isStepChosen
          ? [
              {
                key: "is",
                label: t("paths.people.atState"),
                options: stepState.options.map((value) => ({ value, label: t(`paths.people.stepStates.${value}`) })),
              },
            ]
          : []),
      ]}
      rowKey={(row) => row.id}
      name={nameOf}
      to={(row) => `/learners/report/${row.userId}`}
      mark={(row) => <PersonMark name={nameOf(row)} size={30} />}
      columns={[
        { key: "name", head: t("paths.people.name"), sort: true },
        { key: "company", head: t("paths.people.company"), minor: true, render: (row) => row.company },
        {
          key: "step",
          head: t("paths.people.step"),
          render: (row) => <span className={classes.nextStep}>{row.step ?? "–"}</span>,
        },
        {
          key: "dueDate",
          head: t("paths.people.due"),
          sort: true,
          width: 130,
          render: (row) => (row.dueDate ? formatDate(row.dueDate) : "–"),
        },
        { key: "done", head: t("paths.people.done"), width: 140, render: progress },
        { key: "state", head: t("paths.people.state"), width: 130, render: state },
        {
          key: "joinedAt",
          head: t("paths.people.joined"),
          sort: true,
          descendingFirst: true,
          minor: true,
          render: (row) => formatDate(row.joinedAt),
        },
      ]}
      phone={(row) => ({
        line: row.step ?? row.company,
        side: t("paths.people.doneOf", { done: row.done, steps: row.steps }),
        ...(row.dueDate && { sideLine: formatDate(row.dueDate) }),
        extra: state(row),
      })}
      menu={(row) => (
        <Menu.Item color="red" onClick={() => ask([row])}>
          {t("paths.people.withdraw")}
        </Menu.Item>
      )}
      actions={({ rows }, clear) => (
        <Button
          variant="default"
          leftSection={<IconUserMinus size={18} stroke={1.7} />}
          onClick={() => ask(rows, clear)}
        >
          {t("paths.people.withdraw")}
        </Button>
      )}
      onExport={async (query) =>
        saveCsv("path", await fetchAllRows(paths.learners, query, params), [
          [t("paths.people.name"), (row) => row.name],
          [t("paths.people.email"), (row) => row.email],
          [t("paths.people.number"), (row) => row.personnelNumber],
          [t("paths.people.company"), (row) => row.company],
          [t("paths.people.state"), (row) => t(`paths.people.states.${row.state}`)],
          [t("paths.people.done"), (row) => row.done],
          [t("paths.tabs.steps"), (row) => row.steps],
          [t("paths.people.step"), (row) => row.step],
          [t("paths.people.due"), (row) => row.dueDate],
          [t("paths.people.joined"), (row) => row.joinedAt],
          [t("paths.complete"), (row) => row.completedAt],
        ])
      }
      empty={{
        title: t("paths.people.none"),
        text: t("paths.people.noneText"),
        ...(canAssign && {
          action: (
            <Button leftSection={<IconUserPlus size={18} stroke={1.7} />} onClick={onAssign}>
              {t("paths.assign")}
            </Button>
          ),
        }),
      }}
    />
  );
}

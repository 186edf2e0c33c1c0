import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { queryFor } from "#web/core/api/api.ts";
import { download } from "#web/core/api/download.ts";
import { PersonMark } from "#web/core/brand/PersonMark.tsx";
import { EmailAddress } from "#web/core/display/EmailAddress.tsx";
import { Num } from "#web/core/display/Num.tsx";
import { formatDue } from "#web/core/format/format.ts";
import { urlOf } from "#web/core/http/http.ts";
import { PageHead } from "#web/core/layout/PageHead.tsx";
import { DataTable } from "#web/core/table/DataTable.tsx";
import type { Column } from "#web/core/table/table.ts";
import { toast } from "#web/core/toast/toast.ts";
import { RemindTeam } from "#web/team/RemindTeam.tsx";
import { MemberStatus } from "#web/team/TeamStatus.tsx";
import { MAX_REMINDED } from "#shared/courses/reminders.ts";
import { team, teamFilter, type TeamMember, teamState } from "#shared/team/team.ts";
import { contactOf, nameOf } from "#web/core/display/person.ts";

/** The people whom a manager leads, with the state of each. */
export function TeamPeoplePage() {
  const { t } = useTranslation();
  const { data: courses } = useQuery(queryFor(team.courses));
  const completed = (row: TeamMember) =>
    row.assigned === 0 ? (
      <Num value={null} />
    ) : (
      <Num value={row.completed} of={t("learners.of", { count: row.assigned })} />
    );
  const columns: Column<TeamMember>[] = [
    {
      key: "name",
      head: t("team.name"),
      sort: true,
      width: 300,
      render: (row) => (
        <>
          {nameOf(row)}
          {row.name && <EmailAddress email={contactOf(row)} />}
        </>
      ),
    },
    { key: "status", head: t("team.status"), render: (row) => <MemberStatus member={row} /> },
    { key: "due", head: t("team.nextDue"), sort: true, render: (row) => row.nextDue && formatDue(row.nextDue) },
    {
      key: "completed",
      head: t("team.completed"),
      align: "right",
      sort: true,
      descendingFirst: true,
      render: completed,
    },
    {
      key: "overdue",
      head: t("team.is.overdue"),
      align: "right",
      sort: true,
      descendingFirst: true,
      minor: true,
      render: (row) => <Num value={row.overdue} bad={row.overdue > 0} />,
    },
    { key: "manager", head: t("team.manager"), minor: true, render: (row) => row.manager },
  ];
  const states = [...teamState.options, ...teamFilter.options.filter((one) => !(one in teamState.enum))];
  const save = async (query: Record<string, string>, onProgress: (percent: number) => void) => {
    await download(urlOf(team.export, { query }), "team.csv", onProgress).catch((error: unknown) =>
      toast.failed(error),
    );
  };
  return (
    <>
      <PageHead
        title={t("team.peopleTitle")}
        line={t("team.peopleLine")}
        parent={{ to: "/team", label: t("team.title") }}
      />
      <DataTable
        list={team.list}
        sort="due"
        search={t("team.search")}
        noun={t("team.noun")}
        columns={columns}
        rowKey={(row) => row.id}
        name={nameOf}
        to={(row) => `/team/people/${row.id}`}
        mark={(row) => <PersonMark name={nameOf(row)} />}
        filters={[
          {
            key: "state",
            label: t("team.status"),
            options: states.map((value) => ({
              value,
              label:
                value === "inOrder" || value === "idle" || value === "ending"
                  ? t(`team.filter.${value}`)
                  : t(`team.is.${value}`),
            })),
          },
          {
            key: "reports",
            label: t("team.reports"),
            options: (["direct", "indirect"] as const).map((value) => ({ value, label: t(`team.${value}`) })),
          },
          {
            key: "courseId",
            label: t("team.course"),
            options: (courses?.items ?? []).map(({ id, title }) => ({ value: id, label: title })),
          },
        ]}
        phone={(row) => ({
          line: <MemberStatus member={row} />,
          side: completed(row),
          sideLine: row.nextDue && t("courses.remind.due", { day: formatDue(row.nextDue) }),
        })}
        actions={({ rows }, clear) =>
          rows.some(({ overdue }) => overdue > 0) && (
            <RemindTeam
              title={t("courses.remind.title", { count: rows.length })}
              target={{ ids: rows.slice(0, MAX_REMINDED).map(({ id }) => id) }}
              onDone={clear}
              disabled={rows.length > MAX_REMINDED}
            >
              {t("courses.remind.action")}
            </RemindTeam>
          )
        }
        onExport={save}
        empty={{ title: t("team.nobody"), text: t("team.nobodyText") }}
      />
    </>
  );
}

import { Button, Menu } from "@mantine/core";
import { IconCalendar, IconUserMinus, IconUserPlus } from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import { CompletionDrawer } from "#web/courses/completion/CompletionDrawer.tsx";
import { useCompletionDrawer } from "#web/courses/completion/useCompletionDrawer.ts";
import { Dialog } from "#web/core/dialog/Dialog.tsx";
import { WhyEnrolled } from "#web/courses/WhyEnrolled.tsx";
import { DueDate } from "#web/courses/DueDate.tsx";
import { DueDialog } from "#web/courses/admin/DueDialog.tsx";
import { EnrolmentStatus } from "#web/courses/EnrolmentStatus.tsx";
import { exportEnrolments } from "#web/courses/admin/exportEnrolments.ts";
import { useCompanies } from "#web/courses/admin/useCompanies.ts";
import { useWithdraw } from "#web/courses/admin/useWithdraw.ts";
import { LazyRemindDialog } from "#web/courses/remind/lazyRemindDialog.ts";
import { DataTable } from "#web/core/table/DataTable.tsx";
import type { Selection } from "#web/core/table/table.ts";
import { formatDuration, formatPercent } from "#web/core/format/format.ts";
import { Meter } from "#web/core/display/Meter.tsx";
import { PersonMark } from "#web/core/brand/PersonMark.tsx";
import { Time } from "#web/core/display/Time.tsx";
import { type Course, courses } from "#shared/courses/courses.ts";
import { type Enrolment, enrolmentStatus } from "#shared/courses/enrolments.ts";
import { nameOf } from "#web/core/display/person.ts";

const only = (row: Enrolment): Selection<Enrolment> => ({ rows: [row], count: 1 });
const isWithdrawn = ({ rows, filter }: Selection<Enrolment>) =>
  filter ? filter.status === "withdrawn" : rows.every((row) => row.status === "withdrawn");

/** The learners of a course with their progress. */
export function LearnersTab({
  course,
  onAssign,
}: {
  course: Pick<Course, "id" | "code" | "title">;
  onAssign: () => void;
}) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const companies = useCompanies();
  const { withdraw, restore } = useWithdraw(course);
  const [dueDialog, setDueDialog] = useState<{ selection: Selection<Enrolment>; done: () => void } | null>(null);
  const [reminded, setReminded] = useState<Enrolment | null>(null);
  const completion = useCompletionDrawer();
  const [explained, setExplained] = useState<Enrolment | null>(null);
  const muted = (text: string) => <span style={{ color: "var(--mantine-color-dimmed)" }}>{text}</span>;
  const renderDuration = (seconds: number | null) => (seconds ? formatDuration(seconds) : muted("–"));

  return (
    <>
      <DataTable
        list={courses.enrolments}
        query={{ courseId: course.id }}
        sort="name"
        search={t("courses.enrolment.search")}
        noun={t("courses.enrolment.noun")}
        filters={[
          {
            key: "status",
            label: t("courses.status"),
            options: enrolmentStatus.options.map((value) => ({ value, label: t(`courses.enrolment.${value}`) })),
          },
          {
            key: "companyId",
            label: t("courses.company"),
            options: companies.map(({ id, name }) => ({ value: id, label: name })),
          },
          {
            key: "overdue",
            label: t("courses.enrolment.due"),
            options: [{ value: "true", label: t("courses.enrolment.overdue") }],
          },
        ]}
        rowKey={(row) => row.id}
        name={nameOf}
        to={(row) => `/learners/report/${row.userId}`}
        mark={(row) => <PersonMark name={nameOf(row)} size={30} />}
        columns={[
          { key: "name", head: t("courses.enrolment.learner"), sort: true },
          { key: "company", head: t("courses.company"), minor: true, render: (row) => row.company },
          { key: "status", head: t("courses.status"), render: (row) => <EnrolmentStatus enrolment={row} /> },
          {
            key: "progress",
            head: t("courses.enrolment.progress"),
            align: "right",
            sort: true,
            descendingFirst: true,
            render: (row) => <Meter percent={row.progress} />,
          },
          {
            key: "score",
            head: t("courses.enrolment.score"),
            align: "right",
            render: (row) => (row.scorePercent === null ? muted("–") : formatPercent(row.scorePercent)),
          },
          {
            key: "active",
            head: t("courses.enrolment.active"),
            align: "right",
            render: (row) => renderDuration(row.activeSeconds),
          },
          {
            key: "reported",
            head: t("courses.enrolment.reported"),
            align: "right",
            minor: true,
            render: (row) => renderDuration(row.reportedSeconds),
          },
          {
            key: "due",
            head: t("courses.enrolment.due"),
            sort: "dueDate",
            render: (row) => <DueDate enrolment={row} />,
          },
          {
            key: "last",
            head: t("courses.enrolment.last"),
            sort: "lastActivityAt",
            descendingFirst: true,
            minor: true,
            render: (row) => <Time at={row.lastActivityAt} />,
          },
        ]}
        phone={(row) => ({
          line: row.company,
          side: formatPercent(row.progress),
          extra: <EnrolmentStatus enrolment={row} />,
          ...(row.dueDate && { sideLine: <DueDate enrolment={row} /> }),
        })}
        menu={(row) => (
          <>
            <Menu.Item onClick={() => void navigate(`/learners/report/${row.userId}`)}>
              {t("courses.enrolment.report")}
            </Menu.Item>
            {row.status !== "withdrawn" && (
              <Menu.Item onClick={() => completion.open(row.id)}>
                {t(row.status === "completed" ? "completions.whyComplete" : "completions.why")}
              </Menu.Item>
            )}
            <Menu.Item onClick={() => setExplained(row)}>{t("courses.why.action")}</Menu.Item>
            {row.status !== "withdrawn" && (
              <Menu.Item onClick={() => setDueDialog({ selection: only(row), done: () => {} })}>
                {t("courses.due.set")}
              </Menu.Item>
            )}
            {row.overdue && <Menu.Item onClick={() => setReminded(row)}>{t("courses.remind.action")}</Menu.Item>}
            {row.status === "withdrawn" && (
              <Menu.Item onClick={() => void restore(only(row))}>{t("courses.withdraw.reassign")}</Menu.Item>
            )}
            {row.status !== "withdrawn" && row.status !== "completed" && (
              <Menu.Item color="red" onClick={() => withdraw(only(row))}>
                {t("courses.withdraw.action")}
              </Menu.Item>
            )}
          </>
        )}
        selectsByFilter
        actions={(selection, clear) =>
          isWithdrawn(selection) ? (
            <Button variant="default" onClick={() => void restore(selection, clear)}>
              {t("courses.withdraw.reassign")}
            </Button>
          ) : (
            <>
              <Button
                variant="default"
                leftSection={<IconCalendar size={18} stroke={1.7} />}
                onClick={() => setDueDialog({ selection, done: clear })}
              >
                {t("courses.due.set")}
              </Button>
              <Button
                variant="default"
                leftSection={<IconUserMinus size={18} stroke={1.7} />}
                onClick={() => withdraw(selection, clear)}
              >
                {t("courses.withdraw.action")}
              </Button>
            </>
          )
        }
        onExport={(query) => exportEnrolments(course.code, query)}
        empty={{
          title: t("courses.enrolment.none"),
          text: t("courses.enrolment.noneText"),
          action: (
            <Button variant="default" leftSection={<IconUserPlus size={18} stroke={1.7} />} onClick={onAssign}>
              {t("courses.assign.action")}
            </Button>
          ),
        }}
      />
      {reminded && (
        <LazyRemindDialog
          key={reminded.id}
          onClose={() => setReminded(null)}
          title={t("courses.remind.titleOf", { name: nameOf(reminded), title: course.title })}
          request={{ target: { courseId: course.id, userIds: [reminded.userId] } }}
        />
      )}
      {explained && (
        <Dialog opened onClose={() => setExplained(null)} title={t("courses.why.titleOf", { name: nameOf(explained) })}>
          <WhyEnrolled courseId={course.id} userId={explained.userId} />
        </Dialog>
      )}
      <CompletionDrawer id={completion.id} onClose={completion.close} />
      <DueDialog
        opened={dueDialog !== null}
        courseId={course.id}
        selection={dueDialog?.selection ?? { rows: [], count: 0 }}
        onClose={() => setDueDialog(null)}
        onDone={() => dueDialog?.done()}
      />
    </>
  );
}

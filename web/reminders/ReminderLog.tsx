import { useTranslation } from "react-i18next";
import { PersonMark } from "#web/core/brand/PersonMark.tsx";
import { StatusDot, type Tone } from "#web/core/display/StatusDot.tsx";
import { formatDue, formatTime } from "#web/core/format/format.ts";
import { DataTable } from "#web/core/table/DataTable.tsx";
import { recipientText, stepText } from "#web/reminders/stepTexts.ts";
import { type PastReminder, type ReminderStatus, reminders, reminderStatus } from "#shared/reminders/reminders.ts";

const tones: Record<ReminderStatus, Tone> = {
  planned: "info",
  sent: "ok",
  dropped: "idle",
  kept: "warn",
  failed: "bad",
};

/** What was sent to whom, and what was left out and why. */
export function ReminderLog({ companyId }: { companyId: string }) {
  const { t } = useTranslation();
  const statusText = ({ status, dropped }: PastReminder) =>
    status === "dropped" && dropped ? t(`reminders.dropped.${dropped}`) : t(`reminders.statuses.${status}`);
  const renderStatus = (row: PastReminder) => <StatusDot tone={tones[row.status]}>{statusText(row)}</StatusDot>;
  return (
    <DataTable<PastReminder>
      list={reminders.list}
      params={{ id: companyId }}
      search={t("reminders.log.search")}
      noun={t("reminders.log.noun")}
      filters={[
        {
          key: "status",
          label: t("reminders.columns.status"),
          options: reminderStatus.options.map((value) => ({ value, label: t(`reminders.statuses.${value}`) })),
        },
      ]}
      rowKey={(row) => row.id}
      name={(row) => row.name}
      to={(row) => `/learners/report/${row.userId}`}
      mark={(row) => <PersonMark name={row.name} size={26} />}
      columns={[
        { key: "name", head: t("reminders.columns.person") },
        { key: "course", head: t("reminders.columns.course"), render: (row) => row.course },
        { key: "step", head: t("reminders.columns.step"), render: (row) => stepText(row) },
        {
          key: "due",
          head: t("reminders.columns.due"),
          isOptional: true,
          render: (row) => (row.dueDate ? formatDue(row.dueDate) : "–"),
        },
        { key: "to", head: t("reminders.columns.to"), render: (row) => recipientText(row) },
        { key: "at", head: t("reminders.columns.at"), render: (row) => `${formatDue(row.at)}, ${formatTime(row.at)}` },
        { key: "status", head: t("reminders.columns.status"), render: renderStatus },
      ]}
      phone={(row) => ({
        line: `${row.course}, ${stepText(row)}`,
        side: formatDue(row.at),
        extra: renderStatus(row),
      })}
      empty={{ title: t("reminders.log.none"), text: t("reminders.log.noneText") }}
    />
  );
}

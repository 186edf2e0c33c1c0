import { Button } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { EmailAddress } from "#web/core/display/EmailAddress.tsx";
import { DataTable } from "#web/core/table/DataTable.tsx";
import { Num } from "#web/core/display/Num.tsx";
import { PersonMark } from "#web/core/brand/PersonMark.tsx";
import { Time } from "#web/core/display/Time.tsx";
import { RegistrationDrawer } from "#web/events/organiser/RegistrationDrawer.tsx";
import { RegistrationMenu } from "#web/events/organiser/RegistrationMenu.tsx";
import { RegistrationStatus } from "#web/events/RegistrationStatus.tsx";
import classes from "#web/events/organiser/RegistrationTable.module.css";
import { useRegistrationActions } from "#web/events/organiser/useRegistrationActions.tsx";
import type { Question } from "#shared/events/eventQuestions.ts";
import { eventRegistrations } from "#shared/events/eventRegistrations.ts";
import { ACTIVE_STATES, attendance, registrationState } from "#shared/events/eventPhases.ts";
import type { AdminEvent } from "#shared/events/eventViews.ts";
import type { Registration } from "#shared/events/registrationRows.ts";

const nameOf = ({ name, purgedAt, reference }: Registration) => (purgedAt || !name ? reference : name);
type Props = { event: AdminEvent; questions: Question[]; tools: ReactNode; add: ReactNode };

/** The registrations of an event, with filters, bulk actions and a drawer for details. */
export function RegistrationTable({ event, questions, tools, add }: Props) {
  const { t } = useTranslation();
  const actions = useRegistrationActions(event);
  const [shown, setShown] = useState<Registration | null>(null);
  const [opened, setOpened] = useState(false);
  const open = (row: Registration) => {
    setShown(row);
    setOpened(true);
  };
  const isHybrid = event.attendanceMode === "hybrid";
  const inStates = (rows: Registration[], states: string[]) => rows.filter(({ state }) => states.includes(state));
  const attendedOptions = [
    { value: "true", label: t("events.registrations.attended") },
    { value: "false", label: t("events.registrations.notAttended") },
  ];
  return (
    <>
      <DataTable
        list={eventRegistrations.list}
        params={{ id: event.id }}
        sort="-createdAt"
        search={t("events.registrations.search")}
        noun={t("events.registrations.noun")}
        tools={tools}
        filters={[
          {
            key: "state",
            label: t("events.admin.state"),
            options: registrationState.options.map((value) => ({
              value,
              label: t(`events.registrationState.${value}`),
            })),
          },
          { key: "attended", label: t("events.admin.attended"), options: attendedOptions },
          ...(isHybrid
            ? [
                {
                  key: "attendance",
                  label: t("events.registrations.attendance"),
                  options: attendance.options.map((value) => ({ value, label: t(`events.registrations.${value}`) })),
                },
              ]
            : []),
        ]}
        rowKey={({ id }) => id}
        name={nameOf}
        onOpen={open}
        mark={(row) => <PersonMark name={nameOf(row)} />}
        columns={[
          {
            key: "name",
            head: t("events.form.name"),
            sort: true,
            width: 280,
            render: (row) => (
              <>
                {row.purgedAt || !row.name ? <code>{row.reference}</code> : row.name}
                {row.email && <EmailAddress email={row.email} />}
              </>
            ),
          },
          {
            key: "company",
            head: t("events.form.company"),
            minor: true,
            render: ({ company }) => <span className={classes.clip}>{company}</span>,
          },
          { key: "state", head: t("events.admin.state"), render: (row) => <RegistrationStatus registration={row} /> },
          ...(isHybrid
            ? [
                {
                  key: "attendance",
                  head: t("events.registrations.attendance"),
                  minor: true,
                  render: (row: Registration) => t(`events.registrations.${row.attendance}`),
                },
              ]
            : []),
          ...(event.counts.waitlisted > 0
            ? [
                {
                  key: "waitlistPosition",
                  head: t("events.registrations.position"),
                  align: "right" as const,
                  sort: true,
                  minor: true,
                  render: ({ waitlistPosition }: Registration) => <Num value={waitlistPosition} />,
                },
              ]
            : []),
          { key: "attended", head: t("events.admin.attended"), render: ({ attendedAt }) => <Time at={attendedAt} /> },
          {
            key: "createdAt",
            head: t("events.registrations.registered"),
            sort: true,
            descendingFirst: true,
            render: ({ createdAt }) => <Time at={createdAt} />,
          },
        ]}
        phone={(row) => ({
          line: row.email,
          extra: <RegistrationStatus registration={row} />,
          side: row.attendedAt ? t("events.registrations.attended") : undefined,
        })}
        menu={(row) => <RegistrationMenu registration={row} actions={actions} onOpen={() => open(row)} />}
        actions={({ rows }, clear) => {
          const [pending, waiting, active, confirmed] = [
            inStates(rows, ["pending_approval"]),
            inStates(rows, ["waitlisted"]),
            inStates(rows, ACTIVE_STATES),
            inStates(rows, ["confirmed"]),
          ];
          const button = (
            people: Registration[],
            label: string,
            run: (people: Registration[], done: () => void) => void,
          ) =>
            people.length > 0 && (
              <Button variant="default" fw={500} onClick={() => run(people, clear)}>
                {label}
              </Button>
            );
          return (
            <>
              {button(pending, t("events.registrations.approveMany", { count: pending.length }), actions.approve)}
              {button(pending, t("events.registrations.rejectMany", { count: pending.length }), actions.reject)}
              {button(waiting, t("events.registrations.promoteMany", { count: waiting.length }), actions.offerSeats)}
              {button(confirmed, t("events.registrations.inviteMany", { count: confirmed.length }), actions.invite)}
              {button(active, t("events.registrations.cancelMany", { count: active.length }), actions.cancel)}
            </>
          );
        }}
        empty={{ title: t("events.registrations.none"), text: t("events.registrations.noneText"), action: add }}
      />
      <RegistrationDrawer registration={shown} questions={questions} opened={opened} onClose={() => setOpened(false)} />
      {actions.dialogs}
    </>
  );
}

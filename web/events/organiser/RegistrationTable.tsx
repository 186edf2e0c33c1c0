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
import { RegistrationWord } from "#web/events/RegistrationWord.tsx";
import classes from "#web/events/organiser/RegistrationTable.module.css";
import { useRegistrationActions } from "#web/events/organiser/useRegistrationActions.tsx";
import {
  ACTIVE_STATES,
  type AdminEvent,
  attendance,
  events,
  type Question,
  type Registration,
  registrationState,
} from "#shared/events.ts";

const nameOf = ({ name, purgedAt, reference }: Registration) => (purgedAt || !name ? reference : name);
type Props = { event: AdminEvent; questions: Question[]; tools: ReactNode; add: ReactNode };

/** Everybody who registered, with filters, actions for one and for many, and a drawer with the history. */
export function RegistrationTable({ event, questions, tools, add }: Props) {
  const { t } = useTranslation();
  const acts = useRegistrationActions(event);
  const [shown, setShown] = useState<Registration | null>(null);
  const [opened, setOpened] = useState(false);
  const open = (row: Registration) => {
    setShown(row);
    setOpened(true);
  };
  const hybrid = event.attendanceMode === "hybrid";
  const some = (rows: Registration[], states: string[]) => rows.filter(({ state }) => states.includes(state));
  const yesNo = [
    { value: "true", label: t("events.people.came") },
    { value: "false", label: t("events.people.notCome") },
  ];
  return (
    <>
      <DataTable
        list={events.registrations}
        params={{ id: event.id }}
        sort="-createdAt"
        search={t("events.people.search")}
        noun={t("events.people.noun")}
        tools={tools}
        filters={[
          {
            key: "state",
            label: t("events.admin.state"),
            options: registrationState.options.map((value) => ({ value, label: t(`events.state.${value}`) })),
          },
          { key: "attended", label: t("events.admin.attended"), options: yesNo },
          ...(hybrid
            ? [
                {
                  key: "attendance",
                  label: t("events.people.attendance"),
                  options: attendance.options.map((value) => ({ value, label: t(`events.people.${value}`) })),
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
            render: (row) => (
              <>
                {row.purgedAt || !row.name ? <code>{row.reference}</code> : row.name}
                {row.email && (
                  <span className={classes.email}>
                    <EmailAddress email={row.email} />
                  </span>
                )}
              </>
            ),
          },
          {
            key: "company",
            head: t("events.form.company"),
            minor: true,
            render: ({ company }) => <span className={classes.clip}>{company}</span>,
          },
          { key: "state", head: t("events.admin.state"), render: (row) => <RegistrationWord registration={row} /> },
          ...(hybrid
            ? [
                {
                  key: "attendance",
                  head: t("events.people.attendance"),
                  minor: true,
                  render: (row: Registration) => t(`events.people.${row.attendance}`),
                },
              ]
            : []),
          ...(event.counts.waitlisted > 0
            ? [
                {
                  key: "waitlistPosition",
                  head: t("events.people.position"),
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
            head: t("events.people.registered"),
            sort: true,
            descendingFirst: true,
            render: ({ createdAt }) => <Time at={createdAt} />,
          },
        ]}
        phone={(row) => ({
          line: row.email,
          extra: <RegistrationWord registration={row} />,
          side: row.attendedAt ? t("events.people.came") : undefined,
        })}
        menu={(row) => <RegistrationMenu registration={row} acts={acts} onOpen={() => open(row)} />}
        actions={(rows, clear) => {
          const [waiting, wishing, active, sure] = [
            some(rows, ["pending_approval"]),
            some(rows, ["waitlisted"]),
            some(rows, ACTIVE_STATES),
            some(rows, ["confirmed"]),
          ];
          const button = (
            people: Registration[],
            words: string,
            run: (people: Registration[], done: () => void) => void,
          ) =>
            people.length > 0 && (
              <Button variant="default" fw={500} onClick={() => run(people, clear)}>
                {words}
              </Button>
            );
          return (
            <>
              {button(waiting, t("events.people.approveMany", { count: waiting.length }), acts.approve)}
              {button(waiting, t("events.people.rejectMany", { count: waiting.length }), acts.reject)}
              {button(wishing, t("events.people.promoteMany", { count: wishing.length }), acts.promote)}
              {button(sure, t("events.people.inviteMany", { count: sure.length }), acts.invite)}
              {button(active, t("events.people.cancelMany", { count: active.length }), acts.cancel)}
            </>
          );
        }}
        empty={{ title: t("events.people.none"), text: t("events.people.noneText"), action: add }}
      />
      <RegistrationDrawer registration={shown} questions={questions} opened={opened} onClose={() => setOpened(false)} />
      {acts.dialogs}
    </>
  );
}

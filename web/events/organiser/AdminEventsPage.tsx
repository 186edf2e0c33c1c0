import { Button } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { Cover } from "#web/core/brand/Cover.tsx";
import { DataTable } from "#web/core/table/DataTable.tsx";
import { formatDateIn, formatNumber } from "#web/core/format/format.ts";
import { Num } from "#web/core/display/Num.tsx";
import { PageHead } from "#web/core/layout/PageHead.tsx";
import { Pill } from "#web/core/display/Pill.tsx";
import classes from "#web/events/organiser/AdminEventsPage.module.css";
import { EventMenu } from "#web/events/organiser/EventMenu.tsx";
import { EventState } from "#web/events/organiser/EventState.tsx";
import { useEventActions } from "#web/events/organiser/useEventActions.tsx";
import { shortTimeSpan } from "#web/events/eventTimes.ts";
import { locationOf } from "#web/events/eventLocation.ts";
import { eventStatus } from "#shared/events/eventPhases.ts";
import type { AdminEventRow } from "#shared/events/eventViews.ts";
import { events } from "#shared/events/events.ts";

/** /admin/events: all events with their registration counts. */
export function AdminEventsPage() {
  const { t } = useTranslation();
  const actions = useEventActions();
  const create = (variant: "filled" | "default") => (
    <Button
      variant={variant}
      component={Link}
      to="/admin/events/create"
      leftSection={<IconPlus size={18} stroke={1.7} />}
    >
      {t("events.admin.add")}
    </Button>
  );
  return (
    <>
      <PageHead title={t("events.admin.title")} line={t("events.admin.lead")} actions={create("filled")} />
      <DataTable
        list={events.listAll}
        sort="next"
        sortLabel={t("events.admin.soonestFirst")}
        search={t("events.search")}
        noun={t("events.noun")}
        filters={[
          {
            key: "status",
            label: t("events.admin.state"),
            options: eventStatus.options.map((value) => ({ value, label: t(`events.status.${value}`) })),
          },
          {
            key: "when",
            label: t("events.when"),
            options: [
              { value: "upcoming", label: t("events.upcoming") },
              { value: "past", label: t("events.past") },
            ],
          },
        ]}
        rowKey={({ id }) => id}
        name={({ title }) => title}
        to={({ id }) => `/admin/events/edit/${id}`}
        mark={({ id, coverUrl }) =>
          coverUrl ? <img src={coverUrl} alt="" className={classes.tile} /> : <Cover code={id} tile />
        }
        badge={({ visibility }) => visibility !== "public" && <Pill>{t(`events.visibility.${visibility}`)}</Pill>}
        menu={(row) => <EventMenu event={row} actions={actions} />}
        columns={[
          { key: "title", head: t("events.admin.event"), sort: true },
          {
            key: "startsAt",
            head: t("events.admin.date"),
            sort: true,
            descendingFirst: true,
            render: (row) => (
              <span className={classes.date} title={shortTimeSpan(row)}>
                {formatDateIn(row.startsAt, row.timezone)}
              </span>
            ),
          },
          {
            key: "place",
            head: t("events.where"),
            minor: true,
            render: (row) => <span className={classes.clip}>{locationOf(row)}</span>,
          },
          { key: "status", head: t("events.admin.state"), render: (row) => <EventState event={row} /> },
          {
            key: "confirmed",
            head: t("events.admin.confirmed"),
            align: "right",
            sort: true,
            descendingFirst: true,
            render: (row) => <Seats event={row} />,
          },
          {
            key: "waiting",
            head: t("events.admin.waiting"),
            align: "right",
            minor: true,
            render: ({ counts }) => <Num value={counts.waitlisted + counts.offered} />,
          },
          {
            key: "pending",
            head: t("events.admin.pending"),
            align: "right",
            minor: true,
            render: ({ counts }) => <Num value={counts.pending} />,
          },
          {
            key: "attended",
            head: t("events.admin.attended"),
            align: "right",
            render: ({ counts }) => <Num value={counts.attended} />,
          },
        ]}
        phone={(row) => ({
          line: `${formatDateIn(row.startsAt, row.timezone)}, ${locationOf(row)}`,
          side: <Seats event={row} />,
          extra: <EventState event={row} />,
        })}
        empty={{ title: t("events.admin.none"), text: t("events.admin.noneText"), action: create("default") }}
      />
      {actions.dialogs}
    </>
  );
}

/** Confirmed guests and capacity; for hybrid events the seats taken in person and online. */
function Seats({ event: { attendanceMode, capacity, capacityOnline, counts } }: { event: AdminEventRow }) {
  const { t } = useTranslation();
  if (attendanceMode !== "hybrid")
    return (
      <Num
        value={counts.confirmed}
        {...(capacity !== null && { of: t("events.admin.of", { limit: formatNumber(capacity) }) })}
      />
    );
  return (
    <span className={classes.seats}>
      <Num
        value={counts.seatsTaken}
        of={
          capacity === null
            ? t("events.admin.inPerson")
            : t("events.admin.ofInPerson", { limit: formatNumber(capacity) })
        }
      />
      <Num
        value={counts.seatsTakenOnline}
        of={
          capacityOnline === null
            ? t("events.admin.online")
            : t("events.admin.ofOnline", { limit: formatNumber(capacityOnline) })
        }
      />
    </span>
  );
}

import { Button } from "@mantine/core";
import { IconMessage2, IconQrcode, IconUserPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, useParams } from "react-router";
import { queryFor, pagedQueryFor } from "#web/core/api/api.ts";
import { formatDateIn, formatNumber, formatPercent } from "#web/core/format/format.ts";
import { StatTiles, StatTile } from "#web/core/display/StatTiles.tsx";
import { useListState } from "#web/core/table/useListState.ts";
import { PageHead } from "#web/core/layout/PageHead.tsx";
import { PageSkeleton } from "#web/core/layout/PageSkeleton.tsx";
import { useIsPhone } from "#web/core/display/useIsPhone.ts";
import { BulkActionsMenu } from "#web/events/organiser/BulkActionsMenu.tsx";
import { AddPersonDialog } from "#web/events/organiser/AddPersonDialog.tsx";
import { ExportMenu } from "#web/core/display/ExportMenu.tsx";
import { MessageDialog } from "#web/events/organiser/MessageDialog.tsx";
import { RegistrationTable } from "#web/events/organiser/RegistrationTable.tsx";
import { useExport } from "#web/events/organiser/useExport.ts";
import { shortTimeSpan } from "#web/events/eventTimes.ts";
import { locationOf } from "#web/events/eventLocation.ts";
import { eventRegistrations } from "#shared/events/eventRegistrations.ts";
import type { AdminEvent } from "#shared/events/eventViews.ts";
import { events } from "#shared/events/events.ts";
import { registrationFilter } from "#shared/events/registrationRows.ts";
import { shareOf } from "#shared/core/percent.ts";

const icon = { size: 18, stroke: 1.7 };

/** /admin/events/{id}/registrations: the registrations of an event, with all actions. */
export function RegistrationsPage() {
  const { id = "" } = useParams();
  const { data, error } = useQuery(queryFor(events.get, { params: { id } }));
  if (error && !data) throw error;
  return data ? <Registrations event={data} /> : <PageSkeleton />;
}

function Registrations({ event }: { event: AdminEvent }) {
  const { t } = useTranslation();
  const { id, title, capacity, capacityOnline, attendanceMode, counts, startsAt, timezone } = event;
  const [opened, setOpened] = useState<"add" | "message" | null>(null);
  const { state } = useListState({ filters: ["state", "attended", "attendance"], sort: "-createdAt" });
  const listState = { ...state.filters, ...(state.q && { q: state.q }) };
  const filter = registrationFilter.safeParse(listState).success
    ? (listState as { q?: string; attended?: string })
    : {};
  const { data } = useQuery(pagedQueryFor(eventRegistrations.list, { params: { id }, query: { ...filter, size: 1 } }));
  const pendingApproval = data?.byState.pending_approval ?? 0;
  const page = `/admin/events/${id}/registrations`;
  const exporting = useExport(id, filter);
  const phone = useIsPhone();
  const seats = [
    capacity !== null && t("events.admin.seatsOf", { count: counts.seatsTaken, limit: formatNumber(capacity) }),
    attendanceMode === "hybrid" &&
      capacityOnline !== null &&
      t("events.admin.onlineOf", { count: counts.seatsTakenOnline, limit: formatNumber(capacityOnline) }),
  ]
    .filter(Boolean)
    .join(", ");
  return (
    <>
      <PageHead
        parent={{ to: "/admin/events", label: t("events.admin.title") }}
        title={title}
        line={
          <>
            {formatDateIn(startsAt, timezone)}, {shortTimeSpan(event)}, {locationOf(event)}
            {!phone && (
              <>
                .{" "}
                <Link to={`/admin/events/edit/${id}`} style={{ color: "var(--ly-link)" }}>
                  {t("events.actions.edit")}
                </Link>
              </>
            )}
          </>
        }
        actions={
          <>
            <Button
              variant="default"
              component={Link}
              to={`/admin/events/${id}/check-in`}
              reloadDocument
              leftSection={<IconQrcode {...icon} />}
            >
              {t("events.actions.checkIn")}
            </Button>
            <Button leftSection={<IconUserPlus {...icon} />} onClick={() => setOpened("add")}>
              {t("events.registrations.add")}
            </Button>
            {phone && <BulkActionsMenu id={id} exporting={exporting} onSendEmail={() => setOpened("message")} />}
          </>
        }
      />
      <StatTiles>
        <StatTile
          label={t("events.admin.confirmed")}
          value={formatNumber(counts.confirmed)}
          note={seats || t("events.admin.noLimit")}
          to={`${page}?state=confirmed`}
        />
        <StatTile
          label={t("events.admin.waiting")}
          value={formatNumber(counts.waitlisted + counts.offered)}
          note={counts.offered > 0 ? t("events.admin.offered", { count: counts.offered }) : undefined}
          to={`${page}?state=waitlisted`}
        />
        <StatTile
          label={t("events.admin.toApprove")}
          value={formatNumber(pendingApproval)}
          note={
            counts.pending > pendingApproval
              ? t("events.admin.unconfirmed", { count: counts.pending - pendingApproval })
              : undefined
          }
          to={`${page}?state=pending_approval`}
        />
        <StatTile
          label={t("events.admin.attended")}
          value={formatNumber(counts.attended)}
          note={counts.attended > 0 ? formatPercent(shareOf(counts.attended, counts.confirmed)) : undefined}
          to={`${page}?attended=true`}
        />
        <StatTile
          label={t("events.admin.cancelled")}
          value={formatNumber(counts.cancelled)}
          to={`${page}?state=cancelled`}
        />
      </StatTiles>
      <RegistrationTable
        event={event}
        questions={data?.questions ?? []}
        tools={
          !phone && (
            <>
              <Button
                variant="default"
                fw={500}
                leftSection={<IconMessage2 {...icon} />}
                onClick={() => setOpened("message")}
              >
                {t("events.registrations.sendEmail")}
              </Button>
              <ExportMenu
                label={t("events.registrations.export")}
                formats={{ xlsx: t("events.registrations.xlsx"), csv: t("events.registrations.csv") }}
                save={exporting.save}
                isBusy={exporting.busy}
              />
            </>
          )
        }
        add={
          <Button variant="default" leftSection={<IconUserPlus {...icon} />} onClick={() => setOpened("add")}>
            {t("events.registrations.add")}
          </Button>
        }
      />
      <AddPersonDialog event={event} opened={opened === "add"} onClose={() => setOpened(null)} />
      <MessageDialog
        event={event}
        filter={filter}
        count={data?.reachable ?? 0}
        opened={opened === "message"}
        onClose={() => setOpened(null)}
      />
    </>
  );
}

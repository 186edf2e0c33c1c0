import { Menu } from "@mantine/core";
import {
  IconArchive,
  IconCalendarCheck,
  IconCalendarOff,
  IconCopy,
  IconEye,
  IconLink,
  IconPencil,
  IconQrcode,
  IconTrash,
  IconUsers,
  IconWorldOff,
  IconWorldUpload,
} from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { copyText } from "#web/core/display/copyText.ts";
import type { EventActions } from "#web/events/organiser/useEventActions.tsx";
import type { AdminEventRow } from "#shared/events/eventViews.ts";

const icon = { size: 18, stroke: 1.6 };

/** All actions on an event. `onEventPage`: leaves out those that the page of the event offers. */
export function EventMenu({
  event,
  actions,
  onEventPage,
}: {
  event: AdminEventRow;
  actions: EventActions;
  onEventPage?: boolean;
}) {
  const { t } = useTranslation();
  const { id, slug, status, phase } = event;
  const address = `/events/${slug}`;
  const link = (to: string, itemIcon: React.ReactNode, label: string) => (
    <Menu.Item component={Link} to={to} leftSection={itemIcon}>
      {label}
    </Menu.Item>
  );
  return (
    <>
      {!onEventPage && link(`/admin/events/edit/${id}`, <IconPencil {...icon} />, t("events.actions.edit"))}
      {!onEventPage &&
        link(`/admin/events/${id}/registrations`, <IconUsers {...icon} />, t("events.admin.registrations"))}
      {status === "published" && (
        <Menu.Item
          component={Link}
          to={`/admin/events/${id}/check-in`}
          reloadDocument
          leftSection={<IconQrcode {...icon} />}
        >
          {t("events.actions.checkIn")}
        </Menu.Item>
      )}
      {link(address, <IconEye {...icon} />, t("events.actions.view"))}
      <Menu.Item
        leftSection={<IconLink {...icon} />}
        onClick={() => void copyText(location.origin + address, t("events.actions.linkCopied"))}
      >
        {t("events.actions.copyLink")}
      </Menu.Item>
      <Menu.Item leftSection={<IconCopy {...icon} />} onClick={() => actions.duplicate(event)}>
        {t("events.actions.duplicate")}
      </Menu.Item>
      <Menu.Divider />
      {status === "draft" && !onEventPage && (
        <Menu.Item leftSection={<IconWorldUpload {...icon} />} onClick={() => actions.confirmPublish(event)}>
          {t("events.actions.publish")}
        </Menu.Item>
      )}
      {status === "cancelled" && phase !== "ended" && (
        <Menu.Item leftSection={<IconCalendarCheck {...icon} />} onClick={() => actions.confirmPublish(event)}>
          {t("events.actions.undoCancellation")}
        </Menu.Item>
      )}
      {status === "published" && phase !== "ended" && (
        <Menu.Item leftSection={<IconWorldOff {...icon} />} onClick={() => actions.unpublish(event)}>
          {t("events.actions.unpublish")}
        </Menu.Item>
      )}
      {(status === "published" || status === "cancelled") && (
        <Menu.Item leftSection={<IconArchive {...icon} />} onClick={() => actions.archive(event)}>
          {t("events.actions.archive")}
        </Menu.Item>
      )}
      {status === "published" && phase !== "ended" && (
        <Menu.Item color="red" leftSection={<IconCalendarOff {...icon} />} onClick={() => actions.cancel(event)}>
          {t("events.actions.cancel")}
        </Menu.Item>
      )}
      {status === "draft" && (
        <Menu.Item color="red" leftSection={<IconTrash {...icon} />} onClick={() => actions.remove(event)}>
          {t("events.actions.remove")}
        </Menu.Item>
      )}
    </>
  );
}

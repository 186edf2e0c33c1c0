import { ActionIcon, Button, Menu } from "@mantine/core";
import { IconDots } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { PageHead } from "#web/core/layout/PageHead.tsx";
import { EventMenu } from "#web/events/organiser/EventMenu.tsx";
import { EventState } from "#web/events/organiser/EventState.tsx";
import type { EventActions } from "#web/events/organiser/useEventActions.tsx";
import type { AdminEvent } from "#shared/events/eventViews.ts";

type Props = { event: AdminEvent | null; actions: EventActions; busy: boolean; onPublish: () => void };

/** Title, status and actions of the event. */
export function EditorHead({ event, actions, busy, onPublish }: Props) {
  const { t } = useTranslation();
  return (
    <>
      <PageHead
        parent={{ to: "/admin/events", label: t("events.admin.title") }}
        title={event ? event.title : t("events.admin.new")}
        line={event ? <EventState event={event} /> : t("events.edit.newLead")}
        actions={
          event && (
            <>
              <Button variant="default" component={Link} to={`/admin/events/${event.id}/registrations`}>
                {t("events.admin.registrations")}
              </Button>
              {event.status === "draft" && (
                <Button loading={busy} onClick={onPublish}>
                  {t("events.actions.publish")}
                </Button>
              )}
              <Menu position="bottom-end" width={230}>
                <Menu.Target>
                  <ActionIcon
                    variant="default"
                    aria-label={t("web.table.rowMenu", { name: event.title })}
                    title={t("web.table.rowMenu", { name: event.title })}
                  >
                    <IconDots size={18} stroke={1.8} />
                  </ActionIcon>
                </Menu.Target>
                <Menu.Dropdown>
                  <EventMenu event={event} actions={actions} onEventPage />
                </Menu.Dropdown>
              </Menu>
            </>
          )
        }
      />
      {actions.dialogs}
    </>
  );
}

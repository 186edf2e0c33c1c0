import { ActionIcon, Button, Indicator, Popover } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconBell } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { queryFor, useApiMutation } from "#web/core/api/api.ts";
import { Time } from "#web/core/display/Time.tsx";
import classes from "#web/core/notifications/NotificationBell.module.css";
import { type Notification, notifications } from "#shared/notifications/notifications.ts";

const SHOWN = 20;

/** The number that selects the plural of a text; notifications of earlier versions call it `statements`. */
const countOf = ({ count, statements }: Notification["params"]) => Number(count ?? statements ?? 0);

/** The bell of the navigation bar: how many notifications are unread, and the latest of them. */
export function NotificationBell() {
  const { t } = useTranslation();
  const [opened, { toggle, close }] = useDisclosure();
  const { data } = useQuery(queryFor(notifications.list, { query: { size: SHOWN } }));
  const markRead = useApiMutation(notifications.markRead, { quiet: true });
  const unread = data?.unread ?? 0;
  const items = data?.items ?? [];

  return (
    <Popover opened={opened} onChange={(next) => !next && close()} position="bottom-end" width={380} trapFocus>
      <Indicator disabled={unread === 0} size={10} offset={10} withBorder color="red" position="top-end">
        <Popover.Target>
          <ActionIcon
            variant="subtle"
            color="gray"
            size={36}
            onClick={toggle}
            aria-label={unread === 0 ? t("notifications.open") : t("notifications.unread", { count: unread })}
            title={unread === 0 ? t("notifications.open") : t("notifications.unread", { count: unread })}
          >
            <IconBell size={20} stroke={1.7} />
          </ActionIcon>
        </Popover.Target>
      </Indicator>
      <Popover.Dropdown className={classes.dropdown} aria-label={t("notifications.title")}>
        <div className={classes.head}>
          <h2>{t("notifications.title")}</h2>
          {unread > 0 && (
            <Button variant="subtle" size="compact-sm" onClick={() => void markRead.mutateAsync({ body: {} })}>
              {t("notifications.markAllRead")}
            </Button>
          )}
        </div>
        {items.length === 0 ? (
          <div className={classes.none}>
            <p>{t("notifications.none")}</p>
            <p>{t("notifications.noneText")}</p>
          </div>
        ) : (
          <ul className={classes.list}>
            {items.map(({ id, kind, params, link, createdAt, readAt }) => (
              <li key={id} data-unread={readAt === null || undefined}>
                <Link
                  to={link}
                  onClick={() => {
                    close();
                    if (readAt === null) void markRead.mutateAsync({ body: { ids: [id] } }).catch(() => {});
                  }}
                >
                  <strong>{t(`notifications.kinds.${kind}.title`, params)}</strong>
                  <span>{t(`notifications.kinds.${kind}.text`, { ...params, count: countOf(params) })}</span>
                  <small>
                    {readAt === null && <b>{t("notifications.new")} · </b>}
                    <Time at={createdAt} />
                  </small>
                </Link>
              </li>
            ))}
          </ul>
        )}
        <Link to="/account#notifications" className={classes.choose} onClick={close}>
          {t("notifications.choose")}
        </Link>
      </Popover.Dropdown>
    </Popover>
  );
}

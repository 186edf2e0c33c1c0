import "@mantine/notifications/styles.layer.css";
import { Button } from "@mantine/core";
import { Notifications, notifications, useNotifications } from "@mantine/notifications";
import { IconAlertCircleFilled, IconCircleCheckFilled } from "@tabler/icons-react";
import { type ReactNode, useLayoutEffect } from "react";
import { i18n } from "#web/core/i18n.ts";
import type { Toast } from "#web/core/toast/toast.ts";
import classes from "#web/core/toast/Toasts.module.css";
import { keepClear } from "#web/core/toast/toastPlace.ts";

/** The corner where toasts appear; loaded with the first one. */
export function Toasts() {
  const { length } = useNotifications().notifications;
  useLayoutEffect(() => (length > 0 ? keepClear() : undefined), [length]);
  return (
    <Notifications
      position="top-right"
      limit={20}
      autoClose={5000}
      containerWidth={348}
      zIndex={1000}
      className={classes.corner}
    />
  );
}

export function showToast({ kind, title, text, action }: Toast) {
  const Icon = kind === "ok" ? IconCircleCheckFilled : IconAlertCircleFilled;
  const run = () => {
    notifications.hide(id);
    action?.run();
  };
  const id = notifications.show({
    title: (
      <Head title={title}>
        {action && (
          <Button size="compact-sm" variant="subtle" onClick={run}>
            {action.label}
          </Button>
        )}
      </Head>
    ),
    message: text,
    icon: <Icon size={20} className={kind === "ok" ? classes.ok : classes.bad} />,
    classNames: { root: classes.toast ?? "", icon: classes.icon ?? "", body: classes.body ?? "" },
    "data-toast": true,
    role: kind === "ok" ? "status" : "alert",
    autoClose: kind === "ok" ? 5000 : false,
    withCloseButton: !action || kind === "bad",
    closeButtonProps: { "aria-label": i18n.t("core.close") },
  });
}

const Head = ({ title, children }: { title: string; children: ReactNode }) => (
  <span className={classes.head}>
    {title}
    {children}
  </span>
);

import "@mantine/notifications/styles.layer.css";
import { Button } from "@mantine/core";
import { Notifications, notifications, useNotifications } from "@mantine/notifications";
import { IconAlertCircleFilled, IconCircleCheckFilled } from "@tabler/icons-react";
import { type ReactNode, useLayoutEffect } from "react";
import { i18n } from "#web/core/i18n.ts";
import classes from "#web/core/toast/Toasts.module.css";
import { MAX_TOASTS, TOAST_MS } from "#web/core/toast/toastLimits.ts";
import { trackToastPosition } from "#web/core/toast/toastPosition.ts";

export type Toast = {
  kind: "ok" | "bad";
  title: string;
  text?: ReactNode;
  action?: { label: string; run: () => void } | undefined;
};

/** The container of all toasts; loaded with the first one. */
export function Toasts() {
  const { length } = useNotifications().notifications;
  useLayoutEffect(() => (length > 0 ? trackToastPosition() : undefined), [length]);
  return (
    <Notifications
      position="top-right"
      limit={MAX_TOASTS}
      autoClose={TOAST_MS}
      containerWidth={348}
      zIndex={1000}
      className={classes.corner}
    />
  );
}

/**
 * Toasts shown so far. Its value is the priority of the next one, so that the newest is on top and the oldest exceed
 * the limit.
 */
let count = 0;

export function showToast({ kind, title, text, action }: Toast) {
  const Icon = kind === "ok" ? IconCircleCheckFilled : IconAlertCircleFilled;
  const run = () => {
    notifications.hide(id);
    action?.run();
  };
  const id = notifications.show({
    title: (
      <ToastTitle title={title}>
        {action && (
          <Button size="compact-sm" variant="subtle" onClick={run}>
            {action.label}
          </Button>
        )}
      </ToastTitle>
    ),
    message: text,
    icon: <Icon size={20} className={kind === "ok" ? classes.ok : classes.bad} />,
    classNames: { root: classes.toast ?? "", icon: classes.icon ?? "", body: classes.body ?? "" },
    "data-toast": true,
    role: kind === "ok" ? "status" : "alert",
    priority: ++count,
    withCloseButton: !action || kind === "bad",
    closeButtonProps: { "aria-label": i18n.t("core.close") },
  });
}

const ToastTitle = ({ title, children }: { title: string; children: ReactNode }) => (
  <span className={classes.head}>
    {title}
    {children}
  </span>
);

import { Button } from "@mantine/core";
import { IconCloudOff } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import classes from "#web/core/layout/ErrorPanel.module.css";
import { isCode } from "#web/core/http/http.ts";
import { messageOf } from "#web/core/http/messages.ts";

type Props = { error: unknown; title?: string; onRetry?: () => void; retryLabel?: string };

/** An error with a retry button, for a page section that could not be loaded. */
export function ErrorPanel({ error, title, onRetry, retryLabel }: Props) {
  const { t } = useTranslation();
  return (
    <div className={classes.panel} role="alert">
      <IconCloudOff size={20} stroke={1.6} className={classes.icon} aria-hidden />
      <div className={classes.words}>
        <p className={classes.title}>{title ?? t("core.error.title")}</p>
        <p className={classes.text}>{isCode(error, "core.network") ? t("core.error.noResponse") : messageOf(error)}</p>
      </div>
      {onRetry && (
        <Button size="xs" variant="default" onClick={onRetry}>
          {retryLabel ?? t("core.error.retry")}
        </Button>
      )}
    </div>
  );
}

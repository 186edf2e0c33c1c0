import { Button } from "@mantine/core";
import { IconCloudOff } from "@tabler/icons-react";
import { useEffect, useEffectEvent } from "react";
import { useTranslation } from "react-i18next";
import classes from "#web/core/layout/ErrorPanel.module.css";
import { isCode } from "#web/core/http/http.ts";
import { OVERLOADED } from "#web/core/http/patience.ts";
import { messageOf } from "#web/core/http/messages.ts";

type Props = { error: unknown; title?: string; onRetry?: () => void; retryLabel?: string };

/** How often a section that an overloaded server has refused is loaded again by itself. */
const REPEAT_MS = 15_000;

/**
 * An error with a retry button, for a page section that could not be loaded. If the server had too much to do, the
 * section is loaded again by itself after a while.
 */
export function ErrorPanel({ error, title, onRetry, retryLabel }: Props) {
  const { t } = useTranslation();
  const repeats = isCode(error, OVERLOADED) && onRetry !== undefined;
  const retry = useEffectEvent(() => onRetry?.());
  useEffect(() => {
    if (!repeats) return;
    const timer = setInterval(retry, REPEAT_MS);
    return () => clearInterval(timer);
  }, [repeats]);
  const text = isCode(error, "core.network") ? t("core.error.noResponse") : messageOf(error);
  return (
    <div className={classes.panel} role="alert">
      <IconCloudOff size={20} stroke={1.6} className={classes.icon} aria-hidden />
      <div className={classes.words}>
        <p className={classes.title}>{title ?? t("core.error.title")}</p>
        <p className={classes.text}>{repeats ? t("core.error.overloaded") : text}</p>
      </div>
      {onRetry && (
        <Button size="xs" variant="default" onClick={onRetry}>
          {retryLabel ?? t("core.error.retry")}
        </Button>
      )}
    </div>
  );
}

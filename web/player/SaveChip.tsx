import { Loader, Tooltip } from "@mantine/core";
import { IconCheck, IconPlugConnectedX, IconRefresh } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { formatTime } from "#web/core/format/format.ts";
import classes from "#web/player/SaveChip.module.css";
import type { SaveState } from "#web/player/session/commitSender.ts";

/** Shows whether all events are stored on the server. Announced politely to screen readers. */
export function SaveChip({ state }: { state: SaveState }) {
  const { t } = useTranslation();
  const icon = {
    ready: <IconCheck size={16} stroke={1.8} />,
    saved: <IconCheck size={16} stroke={1.8} />,
    saving: <Loader size={14} color="currentColor" />,
    retrying: <IconRefresh size={16} stroke={1.8} />,
    elsewhere: <IconPlugConnectedX size={16} stroke={1.8} />,
    ended: <IconPlugConnectedX size={16} stroke={1.8} />,
  }[state.status];
  const text =
    state.status === "saved"
      ? t("player.chip.saved", { time: formatTime(state.at) })
      : t(`player.chip.${state.status}`);
  const chip = (
    <span className={classes.chip} data-state={state.status} role="status" aria-live="polite">
      {icon}
      <span>{text}</span>
    </span>
  );
  return state.status === "retrying" ? (
    <Tooltip label={t("player.retryTip")} multiline w={260}>
      {chip}
    </Tooltip>
  ) : (
    chip
  );
}

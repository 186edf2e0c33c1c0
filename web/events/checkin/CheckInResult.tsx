import { Button, CloseButton } from "@mantine/core";
import {
  IconAlertTriangle,
  IconArrowBackUp,
  IconCircleCheck,
  IconCloudUpload,
  IconCircleX,
  IconHistory,
  IconTicket,
} from "@tabler/icons-react";
import type { TFunction } from "i18next";
import { useTranslation } from "react-i18next";
import { formatDue, formatTime } from "#web/core/format/format.ts";
import classes from "#web/events/checkin/CheckInPage.module.css";
import type { CheckInOutcome } from "#web/events/checkin/checkInCache.ts";

const styles = {
  checked_in: ["ok", IconCircleCheck],
  queued: ["ok", IconCloudUpload],
  already: ["warn", IconHistory],
  not_confirmed: ["bad", IconAlertTriangle],
  unknown: ["bad", IconCircleX],
  failed: ["bad", IconCircleX],
  undone: ["idle", IconArrowBackUp],
} as const;
type Props = { result: CheckInOutcome | null; onUndo: (result: CheckInOutcome) => void; onClear: () => void };

/** The result of the last check-in, by colour, icon and text. */
export function CheckInResult({ result, onUndo, onClear }: Props) {
  const { t } = useTranslation();
  if (!result) {
    return (
      <div className={classes.result} data-tone="idle">
        <IconTicket size={36} stroke={1.5} aria-hidden />
        <div>
          <strong>{t("events.checkIn.ready")}</strong>
          <span>{t("events.checkIn.readyText")}</span>
        </div>
      </div>
    );
  }
  const [tone, Icon] = styles[result.outcome];
  const refusal = refusalOf(result, t);
  const canUndo =
    (result.outcome === "checked_in" || result.outcome === "queued") && (result.person || result.queuedId);
  return (
    <div className={classes.result} data-tone={tone} key={result.at}>
      <Icon size={40} stroke={1.7} aria-hidden />
      <div role="status" aria-live="assertive">
        <strong>{refusal || result.name || t("events.checkIn.noName")}</strong>
        <span>
          {refusal
            ? [result.name, result.text].filter(Boolean).join(". ")
            : t(`events.checkIn.result.${result.outcome}`, { time: result.since ? formatTime(result.since) : "" })}
          {!refusal && result.text && ` ${result.text}`}
        </span>
      </div>
      {canUndo ? (
        <Button size="md" variant="default" onClick={() => onUndo(result)}>
          {t("core.undo")}
        </Button>
      ) : (
        <CloseButton size="xl" aria-label={t("core.close")} onClick={onClear} />
      )}
    </div>
  );
}

/** Why the guest must not be admitted; empty if the check-in is not refused. */
function refusalOf({ outcome, person }: CheckInOutcome, t: TFunction) {
  if (outcome === "unknown") return t("events.checkIn.notListed");
  if (outcome !== "not_confirmed") return "";
  return person?.state === "cancelled" && person.cancelledAt
    ? t("events.checkIn.cancelledOn", { date: formatDue(person.cancelledAt) })
    : t("events.checkIn.result.not_confirmed");
}

import { Button } from "@mantine/core";
import { IconFile, IconFileZip } from "@tabler/icons-react";
import { useEffect, useRef, useState } from "react";
import type { TFunction } from "i18next";
import { useTranslation } from "react-i18next";
import { formatBytes, formatDateTime, formatDuration, formatPercent } from "#web/core/format/format.ts";
import { messageOf } from "#web/core/http/messages.ts";
import {
  cancelUpload,
  resumeWithFile,
  retryUploadNow,
  pauseUpload,
  resumeUpload,
  retryUpload,
} from "#web/core/upload/uploadActions.ts";
import classes from "#web/core/upload/UploadRow.module.css";
import { isRetryable, type Upload } from "#web/core/upload/uploads.ts";

type Props = {
  upload: Upload;
  /** File extensions such as `.zip`, for choosing the file again. */
  accept?: string[];
  /** Shown while the handler runs: `Checking the package`. */
  finishing?: string;
  /** Purpose, if not clear from the context: `New version of “Lockout”`. */
  purpose?: string;
};

/** An upload with progress, speed, status and actions. Its height does not change. */
export function UploadRow({ upload, accept = [], finishing, purpose }: Props) {
  const { t } = useTranslation();
  const { id, name, size, sent, phase, waiting, lastModified } = upload;
  const input = useRef<HTMLInputElement>(null);
  const [mismatch, setMismatch] = useState<string | null>(null);
  const percent = size > 0 ? Math.min(100, (sent / size) * 100) : 0;
  const details = useDetails(upload, finishing ?? t("web.drop.finishing"));
  const status = useStatus(upload, finishing ?? t("web.drop.finishing"));
  const chooseFile = (file: File | undefined) => {
    if (file)
      setMismatch(
        resumeWithFile(id, file)
          ? null
          : t("web.drop.otherFile", {
              other: file.name,
              name,
              size: formatBytes(size),
              when: formatDateTime(new Date(lastModified)),
            }),
      );
  };
  const action = actionOf(upload, t);
  const hasJustContinued = useJustContinued(Boolean(waiting));
  const canCancel = phase !== "elsewhere" && phase !== "canceling" && (phase !== "finishing" || waiting);
  const cancelLabel = phase === "failed" ? t("web.drop.remove") : t("web.drop.cancel");
  const Icon = name.toLowerCase().endsWith(".zip") ? IconFileZip : IconFile;
  const hasError = phase === "failed" || mismatch !== null;
  return (
    <div className={classes.row} data-phase={phase} role="group" aria-label={name}>
      <div className={classes.head}>
        <Icon size={18} stroke={1.6} aria-hidden />
        <span className={classes.name}>
          {name}
          {purpose && <span className={classes.purpose}>{purpose}</span>}
        </span>
        <span className={classes.amount}>
          {t("web.drop.progress", { done: formatBytes(sent), total: formatBytes(size) })}
        </span>
      </div>
      <div
        className={classes.track}
        role="progressbar"
        aria-label={name}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.floor(percent)}
        aria-valuetext={details}
      >
        <div
          className={classes.fill}
          data-busy={(phase === "finishing" && !waiting) || undefined}
          data-still={waiting || phase !== "running" ? true : undefined}
          style={{ width: `${percent}%` }}
        />
      </div>
      <div className={classes.foot}>
        <p className={classes.details} data-error={hasError || undefined}>
          {mismatch ?? details}
        </p>
        <div className={classes.actions}>
          {action && (
            <Button
              variant="default"
              size="xs"
              onClick={() => !hasJustContinued() && (action.run ? action.run() : input.current?.click())}
            >
              {action.label}
              <FileLabel name={name} />
            </Button>
          )}
          {canCancel && (
            <Button variant="subtle" size="xs" onClick={() => cancelUpload(id)}>
              {cancelLabel}
              <FileLabel name={name} />
            </Button>
          )}
        </div>
      </div>
      {phase === "missing" && (
        <input
          ref={input}
          type="file"
          accept={accept.join()}
          className="ly-hidden"
          tabIndex={-1}
          aria-label={t("web.drop.chooseAgain")}
          onChange={(event) => {
            chooseFile(event.currentTarget.files?.[0]);
            event.currentTarget.value = "";
          }}
        />
      )}
      <span className="ly-hidden" role="status">
        {mismatch ?? status}
      </span>
    </div>
  );
}

/** Time in which a click on “Retry now” may land on the button after it has become “Pause”, in ms. */
const SWITCH_MS = 500;

/**
 * Returns a function that is true right after an upload has stopped waiting by itself: its button has just changed its
 * meaning.
 */
function useJustContinued(isWaiting: boolean) {
  const continuedAt = useRef(-Infinity);
  useEffect(() => {
    if (!isWaiting) return;
    return () => {
      continuedAt.current = performance.now();
    };
  }, [isWaiting]);
  return () => performance.now() - continuedAt.current < SWITCH_MS;
}

/** The main action of an upload; without `run`, the file has to be chosen again. */
function actionOf({ id, phase, waiting, error }: Upload, t: TFunction) {
  if (waiting) return { label: t("web.drop.now"), run: () => retryUploadNow(id) };
  switch (phase) {
    case "running":
    case "pausing":
      return { label: t("web.drop.pause"), run: () => pauseUpload(id) };
    case "paused":
      return { label: t("web.drop.resume"), run: () => resumeUpload(id) };
    case "failed":
      return isRetryable(error) ? { label: t("core.error.retry"), run: () => retryUpload(id) } : null;
    case "missing":
      return { label: t("web.drop.chooseAgain"), run: null };
    default:
      return null;
  }
}

/** Names the file in a button label, for screen readers. */
const FileLabel = ({ name }: { name: string }) => <span className="ly-hidden">: {name}</span>;

/** The text below the progress bar. */
function useDetails(
  { phase, sent, size, speed, secondsLeft, waiting, error, name, lastModified }: Upload,
  finishing: string,
) {
  const { t } = useTranslation();
  const seconds = useCountdown(waiting && waiting.reason !== "offline" ? waiting.until : null);
  const percent = formatPercent(size > 0 ? Math.floor((sent / size) * 100) : 0);
  if (waiting) {
    const time = formatDuration(Math.max(1, seconds));
    if (waiting.reason === "offline") return t("web.drop.offline");
    return t(waiting.reason === "busy" ? "web.drop.busyServer" : "web.drop.noAnswer", { time });
  }
  switch (phase) {
    case "running":
      return [
        percent,
        speed && t("web.drop.speed", { speed: formatBytes(speed) }),
        secondsLeft !== null && t("web.drop.left", { time: formatDuration(Math.max(1, Math.ceil(secondsLeft))) }),
      ]
        .filter(Boolean)
        .join(", ");
    case "finishing":
      return finishing;
    case "failed":
      return messageOf(error);
    case "missing":
      return t("web.drop.missing", {
        name,
        size: formatBytes(size),
        when: formatDateTime(new Date(lastModified)),
        percent,
      });
    case "paused":
    case "pausing":
      return t("web.drop.paused", { percent });
    case "canceling":
      return t("web.drop.canceling");
    case "elsewhere":
      return t("web.drop.elsewhere");
    default:
      return t("web.drop.queued");
  }
}

/** Announced to screen readers at every change of state, but not for progress. */
function useStatus({ phase, waiting, error, name }: Upload, finishing: string) {
  const { t } = useTranslation();
  if (waiting) return t(`web.drop.say.${waiting.reason}`, { name });
  if (phase === "failed") return t("web.drop.say.failed", { name, reason: messageOf(error) });
  return phase === "finishing"
    ? `${name}: ${finishing}`
    : t(`web.drop.say.${phase === "done" || phase === "refused" ? "queued" : phase}`, { name });
}

/** Whole seconds until an instant (ms since the epoch), updated twice a second. */
function useCountdown(until: number | null) {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (until === null) return;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), 500);
    return () => clearInterval(timer);
  }, [until]);
  return until === null ? 0 : Math.ceil((until - now) / 1000);
}

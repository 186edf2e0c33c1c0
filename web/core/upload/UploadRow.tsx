import { Button } from "@mantine/core";
import { IconFile, IconFileZip } from "@tabler/icons-react";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { formatBytes, formatDateTime, formatDuration, formatPercent } from "#web/core/format/format.ts";
import { messageOf } from "#web/core/api/messages.ts";
import {
  cancelUpload,
  giveFile,
  hurryUpload,
  pauseUpload,
  resumeUpload,
  retryUpload,
} from "#web/core/upload/uploadActions.ts";
import classes from "#web/core/upload/UploadRow.module.css";
import { isRetryable, type Upload } from "#web/core/upload/uploads.ts";

type Props = {
  upload: Upload;
  /** Endings such as `.zip`, for choosing the file again. */
  accept?: string[];
  /** What happens once all bytes are there: `Checking the package`. */
  finishing?: string;
  /** What it is for, where that is not plain: `New version of “Lockout”`. */
  purpose?: string;
};

/** One upload: name, progress, speed and time left, what it waits for, and what can be done about it. Keeps its height. */
export function UploadRow({ upload, accept = [], finishing, purpose }: Props) {
  const { t } = useTranslation();
  const { id, name, size, sent, phase, waiting, lastModified } = upload;
  const input = useRef<HTMLInputElement>(null);
  const [other, setOther] = useState<string | null>(null);
  const percent = size > 0 ? Math.min(100, (sent / size) * 100) : 0;
  const facts = useFacts(upload, finishing ?? t("web.drop.finishing"));
  const status = useStatus(upload, finishing ?? t("web.drop.finishing"));
  const offer = (file: File | undefined) => {
    if (file)
      setOther(
        giveFile(id, file)
          ? null
          : t("web.drop.otherFile", {
              other: file.name,
              name,
              size: formatBytes(size),
              when: formatDateTime(new Date(lastModified)),
            }),
      );
  };
  const act = waiting
    ? { word: t("web.drop.now"), run: () => hurryUpload(id) }
    : phase === "running" || phase === "pausing"
      ? { word: t("web.drop.pause"), run: () => pauseUpload(id) }
      : phase === "paused"
        ? { word: t("web.drop.resume"), run: () => resumeUpload(id) }
        : phase === "failed" && isRetryable(upload.error)
          ? { word: t("core.error.retry"), run: () => retryUpload(id) }
          : phase === "missing"
            ? { word: t("web.drop.chooseAgain"), run: null }
            : null;
  const leave =
    phase === "failed"
      ? t("web.drop.remove")
      : phase === "finishing" && !waiting
        ? null
        : phase === "elsewhere" || phase === "canceling"
          ? null
          : t("web.drop.cancel");
  const Icon = name.toLowerCase().endsWith(".zip") ? IconFileZip : IconFile;
  const bad = phase === "failed" || other !== null;
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
        aria-valuetext={facts}
      >
        <div
          className={classes.fill}
          data-busy={(phase === "finishing" && !waiting) || undefined}
          data-still={waiting || phase !== "running" ? true : undefined}
          style={{ width: `${percent}%` }}
        />
      </div>
      <div className={classes.foot}>
        <p className={classes.facts} data-bad={bad || undefined}>
          {other ?? facts}
        </p>
        <div className={classes.acts}>
          {act && (
            <Button variant="default" size="xs" onClick={act.run ?? (() => input.current?.click())}>
              {act.word}
              <Of name={name} />
            </Button>
          )}
          {leave && (
            <Button variant="subtle" size="xs" onClick={() => cancelUpload(id)}>
              {leave}
              <Of name={name} />
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
            offer(event.currentTarget.files?.[0]);
            event.currentTarget.value = "";
          }}
        />
      )}
      <span className="ly-hidden" role="status">
        {other ?? status}
      </span>
    </div>
  );
}

/** Which file a button is about, for those who do not see the row. */
const Of = ({ name }: { name: string }) => <span className="ly-hidden">: {name}</span>;

/** The line under the bar. */
function useFacts(
  { phase, sent, size, speed, secondsLeft, waiting, error, name, lastModified }: Upload,
  finishing: string,
) {
  const { t } = useTranslation();
  const seconds = useCountdown(waiting && waiting.why !== "offline" ? waiting.until : null);
  const percent = formatPercent(size > 0 ? Math.floor((sent / size) * 100) : 0);
  if (waiting) {
    const time = formatDuration(Math.max(1, seconds));
    return waiting.why === "offline"
      ? t("web.drop.offline")
      : waiting.why === "busy"
        ? t("web.drop.busyServer", { time })
        : t("web.drop.noAnswer", { time });
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

/** What a screen reader says: once for each turn that an upload takes, never for numbers. */
function useStatus({ phase, waiting, error, name }: Upload, finishing: string) {
  const { t } = useTranslation();
  if (waiting) return t(`web.drop.say.${waiting.why}`, { name });
  if (phase === "failed") return t("web.drop.say.failed", { name, reason: messageOf(error) });
  return phase === "finishing"
    ? `${name}: ${finishing}`
    : t(`web.drop.say.${phase === "done" || phase === "refused" ? "queued" : phase}`, { name });
}

/** Whole seconds until a moment, ticking. */
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

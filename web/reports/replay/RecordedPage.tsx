import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { formatOffset } from "#web/core/format/format.ts";
import classes from "#web/reports/replay/stage.module.css";
import { openRecording, type RecordingView } from "#web/reports/replay/openRecording.ts";
import { type ReplayClock, useClock } from "#web/reports/replay/replayClock.ts";
import { missingKinds } from "#shared/recordings/missingKinds.ts";

type Props = { viewer: string; sessionId: string; clock: ReplayClock };

const formatList = (list: string[]) => new Intl.ListFormat("en", { type: "unit" }).format(list);

/** The recorded page at the position. It is inert, and none of its scripts run. */
export function RecordedPage({ viewer, sessionId, clock }: Props) {
  const { t } = useTranslation();
  const frame = useRef<HTMLIFrameElement>(null);
  const [view, setView] = useState<RecordingView>({ status: "loading" });
  useEffect(
    () => openRecording(frame.current as HTMLIFrameElement, { viewer, sessionId, clock, onView: setView }),
    [viewer, sessionId, clock],
  );
  const from = view.status === "shown" ? view.from : 0;
  const isBefore = useClock(clock, ({ now }) => now() < from);
  const isShown = view.status === "shown" && !isBefore;
  const note = isBefore
    ? t("replay.recording.before", { time: formatOffset(from) })
    : t(`replay.recording.${view.status}`, { time: formatOffset(view.status === "shown" ? view.to : 0) });
  const missing = missingKinds.flatMap((kind) => {
    const count = view.status === "shown" ? (view.missing[kind] ?? 0) : 0;
    return count > 0 ? [t(`replay.recording.missingKinds.${kind}`, { count })] : [];
  });
  return (
    <div className={classes.opened}>
      <div className={classes.recorded}>
        {/* oxlint-disable-next-line react/iframe-missing-sandbox -- the recording has an origin of its own */}
        <iframe
          ref={frame}
          title={t("replay.recording.frame")}
          referrerPolicy="no-referrer"
          data-shown={isShown || undefined}
        />
      </div>
      <p className={classes.note} role="status">
        {note} {isShown && missing.length > 0 && t("replay.recording.missing", { list: formatList(missing) })}
      </p>
    </div>
  );
}

import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useAcademyName } from "#web/core/academy/academy.ts";
import { OpenCourse } from "#web/conversations/openCourse.ts";
import { Outline } from "#web/player/Outline.tsx";
import { CourseChat } from "#web/player/CourseChat.tsx";
import { useCourseChat } from "#web/player/useCourseChat.ts";
import { PartEnd } from "#web/player/PartEnd.tsx";
import { PlayerBar } from "#web/player/PlayerBar.tsx";
import classes from "#web/player/Player.module.css";
import { RuledEnd } from "#web/player/rules/RuledEnd.tsx";
import { RuledFooter } from "#web/player/rules/RuledFooter.tsx";
import { RuledOutline } from "#web/player/rules/RuledOutline.tsx";
import { SessionOver } from "#web/player/SessionOver.tsx";
import { RecordingNotice } from "#web/player/RecordingNotice.tsx";
import { useRecordingPermission } from "#web/player/useRecordingPermission.ts";
import { FRAME_ALLOW } from "#web/player/session/packageVisit.ts";
import {
  type OpenedLaunch,
  type PlayerSession,
  type PlayerView,
  runSession,
} from "#web/player/session/playerSession.ts";
import type { Part } from "#shared/player/player.ts";
import type { NavigationRequest } from "#shared/sequencing/sequencer.ts";

type Props = {
  launch: OpenedLaunch;
  userId: string;
  onLeave: (result?: { stored: boolean; courseId: string }) => void;
  /** Events of closed tabs were found: these sessions have to be sent before the course is launched again. */
  onUnsent: (sessionIds: string[]) => void;
  onTakeOver: () => void;
};

/** Parts that are done. */
const countDone = ({ attempt }: Pick<PlayerView, "attempt">, parts: Pick<Part, "sco">[]) =>
  attempt.parts.filter(({ sco, state }) => state === "done" && parts.some((part) => part.sco === sco)).length;

/** The parts that are listed; in a package with rules in the order of the attempt, and the current one in any case. */
function listedParts({ parts }: Pick<OpenedLaunch, "parts">, { sequencing, current }: PlayerView) {
  const pages = parts.filter(({ href }) => href !== null);
  const choices = sequencing?.choices ?? [];
  if (choices.length === 0) return pages;
  const listed = choices.filter(({ id, isHidden }) => !isHidden || id === current);
  return listed.flatMap(({ id }) => pages.filter(({ sco }) => sco === id));
}

/** The player around the content frame: bar, outline, and the notices at the end of a part or session. */
export function PlayerScreen({ launch, userId, onLeave, onUnsent, onTakeOver }: Props) {
  const { t } = useTranslation();
  const frame = useRef<HTMLIFrameElement>(null);
  const session = useRef<PlayerSession | null>(null);
  const [view, setView] = useState<PlayerView>({
    save: { status: "ready" },
    attempt: launch.attempt,
    current: launch.current,
    ended: false,
    open: false,
    recording: launch.recording !== null,
  });
  const [contentsOpen, setContentsOpen] = useState(false);
  const [leaving, setLeaving] = useState(false);
  const academy = useAcademyName();
  const parts = listedParts(launch, view);
  const hasParts = parts.length > 1;

  const chat = useCourseChat(launch, frame);
  const { onRequest } = chat;
  useEffect(() => {
    const started = runSession(launch, userId, frame.current as HTMLIFrameElement, setView, onUnsent, onRequest);
    session.current = started;
    (frame.current as HTMLIFrameElement).src = launch.shell;
    return () => started.stop();
  }, [launch, userId, onUnsent, onRequest]);

  const mayRecord = useRecordingPermission(launch);
  useEffect(() => {
    if (!mayRecord) session.current?.stopRecording();
  }, [mayRecord, launch]);

  useEffect(() => {
    document.title = `${launch.course.title} · ${academy}`;
  }, [launch.course.title, academy]);

  const exit = async () => {
    if (leaving) return;
    setLeaving(true);
    const stored = (await session.current?.exit()) ?? false;
    onLeave({ stored, courseId: launch.course.id });
  };
  const openPart = (sco: string) => {
    setContentsOpen(false);
    session.current?.openPart(sco);
    frame.current?.focus();
  };
  const navigate = (request: NavigationRequest) => {
    setContentsOpen(false);
    session.current?.navigate(request);
    frame.current?.focus();
  };
  const isRuled = Boolean(launch.sequencing);
  const List = isRuled ? RuledOutline : Outline;
  const isSuperseded = view.save.status === "elsewhere";
  const isOver = isSuperseded || view.save.status === "ended";
  const index = parts.findIndex((part) => part.sco === view.current);

  return (
    <div className={classes.player}>
      <PlayerBar
        launch={launch}
        view={view}
        index={index}
        total={parts.length}
        done={countDone(view, parts)}
        leaving={leaving}
        onExit={isOver ? () => onLeave() : exit}
        onToggleContents={hasParts ? () => setContentsOpen((open) => !open) : undefined}
        contentsOpen={contentsOpen}
        onConfirm={() => session.current?.confirm()}
        chat={chat}
      />
      <div className={classes.work} data-several={hasParts || undefined} data-chat={chat.shown !== null || undefined}>
        {hasParts && (
          <List
            launch={launch}
            view={view}
            shown={contentsOpen}
            onOpen={openPart}
            onClose={() => setContentsOpen(false)}
          />
        )}
        <main className={classes.stage}>
          {view.recording && <RecordingNotice company={launch.company.name} />}
          {/* oxlint-disable-next-line react/iframe-missing-sandbox -- course content has an origin of its own */}
          <iframe
            ref={frame}
            className={classes.frame}
            title={t("player.frame")}
            data-open={view.open || undefined}
            allow={FRAME_ALLOW}
          />
          {view.sequencing && !isOver && (
            <>
              <RuledFooter
                view={view.sequencing}
                isBusy={!view.open || view.ended}
                isRefused={view.stop === "refused" && !view.ended}
                onNavigate={navigate}
              />
              {view.ended && (
                <RuledEnd launch={launch} view={view} onOpen={openPart} onNavigate={navigate} onExit={exit} />
              )}
            </>
          )}
          {view.ended && !isRuled && !isOver && (
            <PartEnd launch={launch} view={view} index={index} onOpen={openPart} onExit={exit} />
          )}
          {isOver && <SessionOver save={view.save} onTakeOver={onTakeOver} onLeave={() => onLeave()} />}
        </main>
        {chat.shown && !isOver && (
          <OpenCourse value={{ id: launch.course.id, openPart }}>
            <CourseChat launch={launch} chatbotId={chat.shown} onClose={chat.close} />
          </OpenCourse>
        )}
      </div>
    </div>
  );
}

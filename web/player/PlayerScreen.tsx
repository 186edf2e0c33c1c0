import { Button } from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useAcademyName } from "#web/core/academy/academy.ts";
import { OpenCourse } from "#web/conversations/openCourse.ts";
import { Outline } from "#web/player/Outline.tsx";
import { CourseChat } from "#web/player/CourseChat.tsx";
import { useCourseChat } from "#web/player/useCourseChat.ts";
import { PlayerBar } from "#web/player/PlayerBar.tsx";
import classes from "#web/player/Player.module.css";
import card from "#web/player/PlayerCard.module.css";
import { RecordingNotice } from "#web/player/RecordingNotice.tsx";
import { useRecordingPermission } from "#web/player/useRecordingPermission.ts";
import { type PlayerSession, type PlayerView, runSession } from "#web/player/playerSession.ts";
import type { Launch } from "#shared/player/player.ts";

type Props = {
  launch: Launch;
  userId: string;
  onLeave: (result?: { stored: boolean; courseId: string }) => void;
  /** Events of closed tabs were found: these sessions have to be sent before the course is launched again. */
  onUnsent: (sessionIds: string[]) => void;
  onTakeOver: () => void;
};

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
  const parts = launch.parts.filter((part) => part.href !== null);
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
        leaving={leaving}
        onExit={isOver ? () => onLeave() : exit}
        onToggleContents={hasParts ? () => setContentsOpen((open) => !open) : undefined}
        contentsOpen={contentsOpen}
        onConfirm={() => session.current?.confirm()}
        chat={chat}
      />
      <div className={classes.work} data-several={hasParts || undefined} data-chat={chat.shown !== null || undefined}>
        {hasParts && (
          <Outline
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
            allow="autoplay; fullscreen; encrypted-media; picture-in-picture; clipboard-write"
          />
          {view.ended && !isOver && (
            <PartEnd launch={launch} view={view} index={index} onOpen={openPart} onExit={exit} />
          )}
          {isOver && (
            <div className={card.veil}>
              <section className={card.card} role="alertdialog" aria-labelledby="over" aria-describedby="over-text">
                <h1 id="over">{t(isSuperseded ? "player.superseded.title" : "player.ended.title")}</h1>
                <p id="over-text">{t(isSuperseded ? "player.superseded.text" : "player.ended.text")}</p>
                <div className={card.choices}>
                  {isSuperseded && (
                    <Button size="md" className={card.go} autoFocus onClick={onTakeOver}>
                      {t("player.elsewhere.continue")}
                    </Button>
                  )}
                  <Button size="md" variant="subtle" className={card.back} onClick={() => onLeave()}>
                    {t("player.elsewhere.back")}
                  </Button>
                </div>
              </section>
            </div>
          )}
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

type PartEndProps = {
  launch: Launch;
  view: PlayerView;
  index: number;
  onOpen: (sco: string) => void;
  onExit: () => void;
};

function PartEnd({ launch, view, index, onOpen, onExit }: PartEndProps) {
  const { t } = useTranslation();
  const parts = launch.parts.filter((part) => part.href !== null);
  const states = new Map(view.attempt.parts.map(({ sco, state }) => [sco, state]));
  const next = [...parts.slice(index + 1), ...parts.slice(0, index)].find((part) => states.get(part.sco) !== "done");
  return (
    <div className={card.veil}>
      <section className={card.card} aria-live="polite">
        <h1>{t("player.partEnd.title", { part: parts[index]?.title ?? launch.course.title })}</h1>
        {!next && <p>{t("player.partEnd.last")}</p>}
        <div className={card.choices}>
          {next && (
            <Button size="md" className={card.go} autoFocus onClick={() => onOpen(next.sco)}>
              {t("player.partEnd.next", { part: next.title })}
            </Button>
          )}
          <Button
            size="md"
            variant={next ? "subtle" : "filled"}
            className={next ? card.back : card.go}
            autoFocus={!next}
            onClick={onExit}
          >
            {t("player.partEnd.exit")}
          </Button>
          <Button size="md" variant="subtle" className={card.back} onClick={() => onOpen(view.current)}>
            {t("player.partEnd.again")}
          </Button>
        </div>
      </section>
    </div>
  );
}

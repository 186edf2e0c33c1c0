import { Button } from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useAcademyName } from "#web/core/brand/academy.ts";
import { Outline } from "#web/player/Outline.tsx";
import { PlayerBar } from "#web/player/PlayerBar.tsx";
import classes from "#web/player/Player.module.css";
import { type Running, runSession, type View } from "#web/player/session.ts";
import type { Launch } from "#shared/player.ts";
import type { UnsentBatch } from "#shared/shell.ts";

type Props = {
  launch: Launch;
  userId: string;
  onLeave: (result?: { stored: boolean; courseId: string }) => void;
  onTails: (tails: UnsentBatch[]) => void;
  onTakeOver: () => void;
};

/** Player chrome around the content frame: bar, outline, and what to do when a part or the session has ended. */
export function PlayerScreen({ launch, userId, onLeave, onTails, onTakeOver }: Props) {
  const { t } = useTranslation();
  const frame = useRef<HTMLIFrameElement>(null);
  const running = useRef<Running | null>(null);
  const [view, setView] = useState<View>({
    save: { is: "ready" },
    attempt: launch.attempt,
    current: launch.current,
    ended: false,
    open: false,
  });
  const [contents, setContents] = useState(false);
  const [leaving, setLeaving] = useState(false);
  const academy = useAcademyName();
  const parts = launch.parts.filter((part) => part.href !== null);
  const several = parts.length > 1;

  useEffect(() => {
    const session = runSession(launch, userId, frame.current as HTMLIFrameElement, setView, onTails);
    running.current = session;
    (frame.current as HTMLIFrameElement).src = launch.shell;
    return () => session.stop();
  }, [launch, userId, onTails]);

  useEffect(() => {
    document.title = `${launch.course.title} · ${academy}`;
  }, [launch.course.title, academy]);

  const exit = async () => {
    if (leaving) return;
    setLeaving(true);
    const stored = (await running.current?.exit()) ?? false;
    onLeave({ stored, courseId: launch.course.id });
  };
  const openPart = (sco: string) => {
    setContents(false);
    running.current?.openPart(sco);
    frame.current?.focus();
  };
  const over = view.save.is === "elsewhere" || view.save.is === "ended";
  const at = parts.findIndex((part) => part.sco === view.current);

  return (
    <div className={classes.player}>
      <PlayerBar
        launch={launch}
        view={view}
        at={at}
        total={parts.length}
        leaving={leaving}
        onExit={over ? () => onLeave() : exit}
        onContents={several ? () => setContents((shown) => !shown) : undefined}
        contents={contents}
        onConfirm={() => running.current?.confirm()}
      />
      <div className={classes.work} data-several={several || undefined}>
        {several && (
          <Outline launch={launch} view={view} shown={contents} onOpen={openPart} onClose={() => setContents(false)} />
        )}
        <main className={classes.stage}>
          <iframe
            ref={frame}
            className={classes.frame}
            title={t("player.frame")}
            data-open={view.open || undefined}
            sandbox="allow-scripts allow-same-origin allow-forms allow-popups allow-modals allow-downloads"
            allow="autoplay; fullscreen; encrypted-media; picture-in-picture; clipboard-write"
          />
          {view.ended && !over && <PartEnd launch={launch} view={view} at={at} onOpen={openPart} onExit={exit} />}
          {over && (
            <div className={classes.veil}>
              <section className={classes.card} role="alertdialog" aria-labelledby="over" aria-describedby="over-text">
                <h1 id="over">{t(view.save.is === "elsewhere" ? "player.superseded.title" : "player.ended.title")}</h1>
                <p id="over-text">{t(view.save.is === "elsewhere" ? "player.superseded.text" : "player.ended.text")}</p>
                <div className={classes.choices}>
                  {view.save.is === "elsewhere" && (
                    <Button size="md" className={classes.go} autoFocus onClick={onTakeOver}>
                      {t("player.elsewhere.continue")}
                    </Button>
                  )}
                  <Button size="md" variant="subtle" className={classes.back} onClick={() => onLeave()}>
                    {t("player.elsewhere.back")}
                  </Button>
                </div>
              </section>
            </div>
          )}
        </main>
      </div>
    </div>
  );
}

type EndProps = { launch: Launch; view: View; at: number; onOpen: (sco: string) => void; onExit: () => void };

function PartEnd({ launch, view, at, onOpen, onExit }: EndProps) {
  const { t } = useTranslation();
  const parts = launch.parts.filter((part) => part.href !== null);
  const states = new Map(view.attempt.parts.map(({ sco, state }) => [sco, state]));
  const next = [...parts.slice(at + 1), ...parts.slice(0, at)].find((part) => states.get(part.sco) !== "done");
  return (
    <div className={classes.veil}>
      <section className={classes.card} aria-live="polite">
        <h1>{t("player.partEnd.title", { part: parts[at]?.title ?? launch.course.title })}</h1>
        {!next && <p>{t("player.partEnd.last")}</p>}
        <div className={classes.choices}>
          {next && (
            <Button size="md" className={classes.go} autoFocus onClick={() => onOpen(next.sco)}>
              {t("player.partEnd.next", { part: next.title })}
            </Button>
          )}
          <Button
            size="md"
            variant={next ? "subtle" : "filled"}
            className={next ? classes.back : classes.go}
            autoFocus={!next}
            onClick={onExit}
          >
            {t("player.partEnd.exit")}
          </Button>
          <Button size="md" variant="subtle" className={classes.back} onClick={() => onOpen(view.current)}>
            {t("player.partEnd.again")}
          </Button>
        </div>
      </section>
    </div>
  );
}

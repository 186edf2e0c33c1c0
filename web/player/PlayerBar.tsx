import { Tooltip } from "@mantine/core";
import { IconCheck, IconList, IconMaximize, IconMinimize, IconX } from "@tabler/icons-react";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { Colonnade } from "#web/core/display/Colonnade.tsx";
import { CompanyMark } from "#web/core/brand/CompanyMark.tsx";
import { ChatButton } from "#web/player/ChatButton.tsx";
import classes from "#web/player/PlayerBar.module.css";
import controls from "#web/player/PlayerControls.module.css";
import { SaveChip } from "#web/player/SaveChip.tsx";
import type { CourseChatState } from "#web/player/useCourseChat.ts";
import type { PlayerView } from "#web/player/session/playerSession.ts";
import type { Launch } from "#shared/player/player.ts";

type Props = {
  launch: Launch;
  view: Pick<PlayerView, "attempt" | "save">;
  /** Index of the current part. */
  index: number;
  total: number;
  /** Parts that are done, of all that are counted. */
  done: number;
  leaving: boolean;
  contentsOpen: boolean;
  onExit: () => void;
  onToggleContents?: (() => void) | undefined;
  onConfirm: () => void;
  chat: CourseChatState;
};

/** Exit, company, title, progress, save state and full screen. On a phone, contents and progress are at the bottom. */
export function PlayerBar({
  launch,
  view,
  index,
  total,
  done,
  leaving,
  contentsOpen,
  onExit,
  onToggleContents,
  onConfirm,
  chat,
}: Props) {
  const { t } = useTranslation();
  const progress = total > 1 && <Colonnade total={total} done={done} current={index + 1} />;
  const isComplete = view.attempt.completion === "complete";
  return (
    <>
      <header className={classes.bar}>
        <button
          type="button"
          className={controls.button}
          onClick={onExit}
          disabled={leaving}
          aria-label={t("player.exit")}
        >
          <IconX size={18} stroke={1.7} />
          <span className={controls.wide}>{leaving ? t("player.leaving") : t("player.exit")}</span>
        </button>
        <span className={controls.wide}>
          <CompanyMark name={launch.company.name} color={launch.company.color} logo={launch.company.logo} size={32} />
        </span>
        <h1 className={classes.title}>{launch.course.title}</h1>
        {launch.preview && (
          <Tooltip label={t("player.previewNote")}>
            <span className={classes.pill}>{t("player.preview")}</span>
          </Tooltip>
        )}
        <span className={classes.grow} />
        {total > 1 && (
          <span className={`${classes.progress} ${controls.wide}`}>
            {progress}
            <span>{t("player.position", { at: index + 1, total })}</span>
          </span>
        )}
        {launch.course.confirm && (
          <button type="button" className={controls.button} onClick={onConfirm} disabled={isComplete}>
            <IconCheck size={18} stroke={1.7} />
            {isComplete ? t("player.confirmed") : t("player.confirm")}
          </button>
        )}
        <SaveChip state={view.save} />
        <ChatButton chat={chat} />
        <FullScreenButton />
      </header>
      {onToggleContents && (
        <footer className={classes.footer}>
          <button type="button" className={controls.button} onClick={onToggleContents} aria-expanded={contentsOpen}>
            <IconList size={18} stroke={1.7} />
            {t("player.contents")}
          </button>
          <span className={classes.progress}>{progress}</span>
        </footer>
      )}
    </>
  );
}

/** Hidden where the Fullscreen API is missing, as on iPhones. */
function FullScreenButton() {
  const { t } = useTranslation();
  const [isFullScreen, setFullScreen] = useState(false);
  useEffect(() => {
    const update = () => setFullScreen(document.fullscreenElement !== null);
    document.addEventListener("fullscreenchange", update);
    return () => document.removeEventListener("fullscreenchange", update);
  }, []);
  if (!document.fullscreenEnabled) return null;
  const toggle = () =>
    void (isFullScreen ? document.exitFullscreen() : document.documentElement.requestFullscreen()).catch(() => {});
  return (
    <button
      type="button"
      className={`${controls.button} ${controls.wide}`}
      onClick={toggle}
      aria-label={t(isFullScreen ? "player.leaveFullScreen" : "player.fullScreen")}
    >
      {isFullScreen ? <IconMinimize size={18} stroke={1.7} /> : <IconMaximize size={18} stroke={1.7} />}
    </button>
  );
}

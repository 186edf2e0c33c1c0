import { Tooltip } from "@mantine/core";
import { IconCheck, IconList, IconMaximize, IconMinimize, IconX } from "@tabler/icons-react";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { Colonnade } from "#web/core/display/Colonnade.tsx";
import { CompanyMark } from "#web/core/brand/CompanyMark.tsx";
import classes from "#web/player/Player.module.css";
import { SaveChip } from "#web/player/SaveChip.tsx";
import type { View } from "#web/player/session.ts";
import type { Launch } from "#shared/player.ts";

type Props = {
  launch: Launch;
  view: View;
  at: number;
  total: number;
  leaving: boolean;
  contents: boolean;
  onExit: () => void;
  onContents?: (() => void) | undefined;
  onConfirm: () => void;
};

/** 56 px: exit, company, title, progress, save chip, full screen. On a phone, contents and progress stand at the bottom. */
export function PlayerBar({ launch, view, at, total, leaving, contents, onExit, onContents, onConfirm }: Props) {
  const { t } = useTranslation();
  const done = view.attempt.parts.filter(({ state }) => state === "done").length;
  const columns = total > 1 && <Colonnade total={total} done={done} current={at + 1} />;
  const complete = view.attempt.completion === "complete";
  return (
    <>
      <header className={classes.bar}>
        <button
          type="button"
          className={classes.button}
          onClick={onExit}
          disabled={leaving}
          aria-label={t("player.exit")}
        >
          <IconX size={18} stroke={1.7} />
          <span className={classes.wide}>{leaving ? t("player.leaving") : t("player.exit")}</span>
        </button>
        <span className={classes.wide}>
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
          <span className={`${classes.progress} ${classes.wide}`}>
            {columns}
            <span>{t("player.position", { at: at + 1, total })}</span>
          </span>
        )}
        {launch.course.confirm && (
          <button type="button" className={classes.button} onClick={onConfirm} disabled={complete}>
            <IconCheck size={18} stroke={1.7} />
            {complete ? t("player.confirmed") : t("player.confirm")}
          </button>
        )}
        <SaveChip state={view.save} />
        <FullScreen />
      </header>
      {onContents && (
        <div className={classes.foot}>
          <button type="button" className={classes.button} onClick={onContents} aria-expanded={contents}>
            <IconList size={18} stroke={1.7} />
            {t("player.contents")}
          </button>
          <span className={classes.progress}>{columns}</span>
        </div>
      )}
    </>
  );
}

/** Only where the browser can do it; an iPhone cannot, and there the page fills the screen anyway. */
function FullScreen() {
  const { t } = useTranslation();
  const [on, setOn] = useState(false);
  useEffect(() => {
    const follow = () => setOn(document.fullscreenElement !== null);
    document.addEventListener("fullscreenchange", follow);
    return () => document.removeEventListener("fullscreenchange", follow);
  }, []);
  if (!document.fullscreenEnabled) return null;
  const toggle = () =>
    void (on ? document.exitFullscreen() : document.documentElement.requestFullscreen()).catch(() => {});
  return (
    <button
      type="button"
      className={`${classes.button} ${classes.wide}`}
      onClick={toggle}
      aria-label={t(on ? "player.leaveFullScreen" : "player.fullScreen")}
    >
      {on ? <IconMinimize size={18} stroke={1.7} /> : <IconMaximize size={18} stroke={1.7} />}
    </button>
  );
}

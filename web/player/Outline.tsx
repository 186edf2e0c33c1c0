import { IconCheck, IconX } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import classes from "#web/player/Outline.module.css";
import controls from "#web/player/PlayerControls.module.css";
import type { PlayerView } from "#web/player/session/playerSession.ts";
import type { Launch } from "#shared/player/player.ts";

type Props = {
  launch: Pick<Launch, "parts"> & Partial<Pick<Launch, "ignoresRules">>;
  view: Pick<PlayerView, "attempt" | "current">;
  shown: boolean;
  onOpen: (sco: string) => void;
  onClose: () => void;
  /** Nothing is kept. */
  isUnsaved?: boolean;
};

/**
 * The table of contents, with a column for each part; the current one is highlighted. On a phone it slides over the
 * course.
 */
export function Outline({ launch, view, shown, onOpen, onClose, isUnsaved }: Props) {
  const { t } = useTranslation();
  const states = new Map(view.attempt.parts.map(({ sco, state }) => [sco, state]));
  return (
    <nav className={classes.outline} data-shown={shown || undefined} aria-label={t("player.contents")}>
      <button
        type="button"
        className={`${controls.button} ${controls.narrow}`}
        onClick={onClose}
        aria-label={t("player.closeContents")}
      >
        <IconX size={18} stroke={1.7} />
      </button>
      <ol>
        {launch.parts.map((part) => {
          if (part.href === null)
            return (
              <li key={part.sco} className={classes.heading} style={{ paddingInlineStart: part.depth * 14 }}>
                {part.title}
              </li>
            );
          const current = part.sco === view.current;
          const state = states.get(part.sco) ?? "todo";
          return (
            <li key={part.sco}>
              <button
                type="button"
                className={classes.part}
                data-state={state}
                aria-current={current ? "step" : undefined}
                style={{ paddingInlineStart: 10 + part.depth * 14 }}
                onClick={() => onOpen(part.sco)}
              >
                <span className={classes.column} aria-hidden />
                <span className={classes.name}>{part.title}</span>
                <span className={classes.state}>
                  {state === "done" && <IconCheck size={16} stroke={1.8} aria-hidden />}
                  <span className={classes.hidden}>{t(`player.part.${state}`)}</span>
                </span>
              </button>
            </li>
          );
        })}
      </ol>
      {launch.ignoresRules && <p className={classes.note}>{t("player.ignoresRules")}</p>}
      {!isUnsaved && <p className={classes.note}>{t("player.resumeHint")}</p>}
    </nav>
  );
}

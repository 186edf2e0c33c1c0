import { IconX } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import classes from "#web/player/Outline.module.css";
import controls from "#web/player/PlayerControls.module.css";
import { OutlinePart } from "#web/player/OutlinePart.tsx";
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
  const states = new Map(view.attempt.parts.map((part) => [part.sco, part]));
  const titles = new Map(launch.parts.map(({ sco, title }) => [sco, title]));
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
          const { state = "todo", waitsFor } = states.get(part.sco) ?? {};
          const isCurrent = part.sco === view.current;
          const isClosed = waitsFor !== undefined && !isCurrent;
          return (
            <li key={part.sco}>
              <OutlinePart
                part={part}
                state={state}
                isCurrent={isCurrent}
                isClosed={isClosed}
                reason={isClosed && <ClosedUntil names={waitsFor.map((sco) => titles.get(sco) ?? sco)} />}
                onOpen={onOpen}
              />
            </li>
          );
        })}
      </ol>
      {launch.ignoresRules && <p className={classes.note}>{t("player.ignoresRules")}</p>}
      {!isUnsaved && <p className={classes.note}>{t("player.resumeHint")}</p>}
    </nav>
  );
}

/** Why prerequisites keep a part closed. */
function ClosedUntil({ names }: { names: string[] }) {
  const { t } = useTranslation();
  if (names.length === 0) return t("player.rules.reasons.closed");
  return t("player.opensAfter", { parts: new Intl.ListFormat("en").format(names) });
}

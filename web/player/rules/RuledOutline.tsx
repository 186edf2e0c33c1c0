import { IconX } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import outline from "#web/player/Outline.module.css";
import { OutlinePart } from "#web/player/OutlinePart.tsx";
import controls from "#web/player/PlayerControls.module.css";
import classes from "#web/player/rules/Rules.module.css";
import type { PlayerView } from "#web/player/session/playerSession.ts";
import type { Launch } from "#shared/player/player.ts";

type Props = {
  launch: Pick<Launch, "parts" | "ignoresRules">;
  view: Pick<PlayerView, "attempt" | "current" | "sequencing">;
  shown: boolean;
  onOpen: (sco: string) => void;
  onClose: () => void;
};

/** The contents of a package with sequencing rules: in the order of the attempt, with what cannot be opened and why. */
export function RuledOutline({ launch, view, shown, onOpen, onClose }: Props) {
  const { t } = useTranslation();
  const states = new Map(view.attempt.parts.map(({ sco, state }) => [sco, state]));
  const parts = new Map(launch.parts.map((part) => [part.sco, part]));
  const listed = (view.sequencing?.choices ?? []).flatMap((choice) => {
    const part = parts.get(choice.id);
    return part && !choice.isHidden ? [{ choice, part }] : [];
  });
  return (
    <nav className={outline.outline} data-shown={shown || undefined} aria-label={t("player.contents")}>
      <button
        type="button"
        className={`${controls.button} ${controls.narrow}`}
        onClick={onClose}
        aria-label={t("player.closeContents")}
      >
        <IconX size={18} stroke={1.7} />
      </button>
      <ol>
        {listed.map(({ choice, part }) => (
          <li key={choice.id}>
            {part.href === null && !choice.isOpen ? (
              <span className={`${outline.heading} ${classes.heading}`} style={{ paddingInlineStart: part.depth * 14 }}>
                {part.title}
              </span>
            ) : (
              <OutlinePart
                part={part}
                state={states.get(choice.id) ?? "todo"}
                isCurrent={choice.id === view.current}
                isClosed={!choice.isOpen}
                reason={
                  !choice.isOpen &&
                  choice.id !== view.current &&
                  choice.reason &&
                  t(`player.rules.reasons.${choice.reason}`)
                }
                onOpen={onOpen}
              />
            )}
          </li>
        ))}
      </ol>
      {launch.ignoresRules && <p className={outline.note}>{t("player.ignoresRules")}</p>}
      <p className={outline.note}>{t("player.resumeHint")}</p>
    </nav>
  );
}

import { IconCheck, IconX } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import outline from "#web/player/Outline.module.css";
import controls from "#web/player/PlayerControls.module.css";
import classes from "#web/player/rules/Rules.module.css";
import type { PlayerView } from "#web/player/session/playerSession.ts";
import type { Launch, Part } from "#shared/player/player.ts";
import type { Choice } from "#shared/sequencing/view.ts";

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
              <RuledPart
                part={part}
                choice={choice}
                state={states.get(choice.id) ?? "todo"}
                isCurrent={choice.id === view.current}
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

type PartProps = {
  part: Part;
  choice: Choice;
  state: "todo" | "started" | "done" | "failed";
  isCurrent: boolean;
  onOpen: (sco: string) => void;
};

function RuledPart({ part, choice, state, isCurrent, onOpen }: PartProps) {
  const { t } = useTranslation();
  const reason = !choice.isOpen && !isCurrent && choice.reason;
  return (
    <button
      type="button"
      className={`${outline.part} ${classes.part}`}
      data-state={state}
      aria-current={isCurrent ? "step" : undefined}
      aria-disabled={!choice.isOpen || undefined}
      style={{ paddingInlineStart: 10 + part.depth * 14 }}
      onClick={() => choice.isOpen && onOpen(part.sco)}
    >
      <span className={outline.column} aria-hidden />
      <span className={outline.name}>
        {part.title}
        {reason && <span className={classes.reason}>{t(`player.rules.reasons.${reason}`)}</span>}
      </span>
      <span className={outline.state}>
        {state === "done" && <IconCheck size={16} stroke={1.8} aria-hidden />}
        {part.href !== null && <span className={outline.hidden}>{t(`player.part.${state}`)}</span>}
      </span>
    </button>
  );
}

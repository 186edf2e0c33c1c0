import { Button } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { EarnedCertificate } from "#web/certificates/CertificateCard.tsx";
import card from "#web/player/PlayerCard.module.css";
import type { PlayerView } from "#web/player/session/playerSession.ts";
import type { Launch } from "#shared/player/player.ts";
import type { NavigationRequest } from "#shared/sequencing/sequencer.ts";

type Props = {
  launch: Launch;
  view: PlayerView;
  onOpen: (sco: string) => void;
  onNavigate: (request: NavigationRequest) => void;
  onExit: () => void;
};

/** Where the rules open nothing by themselves: the end of the course, or a part after which the learner chooses. */
export function RuledEnd({ launch, view, onOpen, onNavigate, onExit }: Props) {
  const { t } = useTranslation();
  const { sequencing, stop, attempt } = view;
  const isEnded = stop === "ended";
  const part = launch.parts.find(({ sco }) => sco === sequencing?.current);
  const isComplete = attempt.completion === "complete";
  const states = new Map(attempt.parts.map(({ sco, state }) => [sco, state]));
  const open = (sequencing?.choices ?? []).filter(
    ({ id, isOpen }) => isOpen && launch.parts.some(({ sco, href }) => sco === id && href !== null),
  );
  const next = open.find(({ id }) => states.get(id) !== "done");
  const nextTitle = launch.parts.find(({ sco }) => sco === next?.id)?.title ?? "";
  const canContinue =
    !isEnded && sequencing?.canContinue === true && !sequencing.hidden.includes("continue") && stop !== "refused";
  const title = () => {
    if (isEnded) return t("player.rules.ended", { course: launch.course.title });
    if (stop === "refused" && !part) return t("player.rules.choose");
    return part ? t("player.partEnd.title", { part: part.title }) : t("player.rules.choose");
  };
  const result = sequencing?.root.success === "unknown" ? null : sequencing?.root.success;
  const text = () => {
    if (isEnded) return t(`player.rules.result.${result ?? (isComplete ? "complete" : "incomplete")}`);
    if (stop === "refused") return t("player.rules.refused");
    return open.length > 0 || canContinue ? t("player.rules.chooseText") : t("player.rules.nothing");
  };
  return (
    <div className={card.veil}>
      <section className={card.card} aria-live="polite">
        <h1>{title()}</h1>
        <p>{text()}</p>
        {isComplete && !launch.preview && <EarnedCertificate courseId={launch.course.id} />}
        <div className={card.choices}>
          {canContinue && (
            <Button size="md" className={card.go} autoFocus onClick={() => onNavigate("continue")}>
              {t("player.rules.continue")}
            </Button>
          )}
          {!canContinue && !isEnded && next && (
            <Button size="md" className={card.go} autoFocus onClick={() => onOpen(next.id)}>
              {t("player.partEnd.next", { part: nextTitle })}
            </Button>
          )}
          <Button
            size="md"
            variant={isEnded ? "filled" : "subtle"}
            className={isEnded ? card.go : card.back}
            autoFocus={isEnded}
            onClick={onExit}
          >
            {t("player.partEnd.exit")}
          </Button>
          {isEnded && (
            <Button size="md" variant="subtle" className={card.back} onClick={() => onNavigate("start")}>
              {t("player.rules.again")}
            </Button>
          )}
        </div>
      </section>
    </div>
  );
}

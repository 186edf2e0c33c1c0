import { Button } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { EarnedCertificate } from "#web/certificates/CertificateCard.tsx";
import card from "#web/player/PlayerCard.module.css";
import type { PlayerView } from "#web/player/session/playerSession.ts";
import type { Launch } from "#shared/player/player.ts";
import { isRootDone, successOfRoot } from "#shared/sequencing/rootResult.ts";
import type { NavigationRequest } from "#shared/sequencing/sequencer.ts";
import { NO_VIEW } from "#shared/sequencing/view.ts";

type Props = {
  launch: Launch;
  view: PlayerView;
  onOpen: (sco: string) => void;
  onNavigate: (request: NavigationRequest) => void;
  onExit: () => void;
};

/** The course is complete by what its package reports. */
const isReported = ({ course: { rule } }: Launch) => "kind" in rule && rule.kind === "reported";

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
  const canContinue = !isEnded && sequencing?.canContinue === true && !sequencing.hidden.includes("continue");
  const canReopen = !isEnded && sequencing?.canReopen === true;
  const isOnlyAgain = !canContinue && !next;
  const title = () => {
    if (isEnded) return t("player.rules.ended", { course: launch.course.title });
    if (stop === "noPage") return t("player.rules.noPage", { part: part?.title ?? launch.course.title });
    if (stop === "refused") return t("player.rules.refusedTitle");
    if (part) return t("player.partEnd.title", { part: part.title });
    return open.length > 0 ? t("player.rules.choose") : launch.course.title;
  };
  const { root } = sequencing ?? NO_VIEW;
  // The server evaluates the rule of the course; until it has answered, this is what it will say of most courses.
  const isDone = isComplete || (isReported(launch) && isRootDone(root));
  const result = () => {
    if (successOfRoot(root) === "failed") return "failed";
    if (!isDone) return "incomplete";
    return successOfRoot(root) === "passed" ? "passed" : "complete";
  };
  const text = () => {
    if (isEnded) return t(`player.rules.result.${result()}`);
    if (stop === "noPage") return t("player.rules.noPageText");
    if (stop === "refused") return t(open.length > 0 ? "player.rules.refusedChoose" : "player.rules.refused");
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
          {canReopen && part && (
            <Button
              size="md"
              variant={isOnlyAgain ? "filled" : "subtle"}
              className={isOnlyAgain ? card.go : card.back}
              autoFocus={isOnlyAgain}
              onClick={() => onOpen(part.sco)}
            >
              {t("player.partEnd.again")}
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

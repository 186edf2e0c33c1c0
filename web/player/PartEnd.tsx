import { Button } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { EarnedCertificate } from "#web/certificates/CertificateCard.tsx";
import card from "#web/player/PlayerCard.module.css";
import type { PlayerView } from "#web/player/session/playerSession.ts";
import type { Launch } from "#shared/player/player.ts";

type Props = {
  launch: Launch;
  view: Pick<PlayerView, "attempt" | "current">;
  index: number;
  onOpen: (sco: string) => void;
  onExit: () => void;
};

/** After a package has ended its part: the next steps. */
export function PartEnd({ launch, view, index, onOpen, onExit }: Props) {
  const { t } = useTranslation();
  const parts = launch.parts.filter((part) => part.href !== null);
  const states = new Map(view.attempt.parts.map((part) => [part.sco, part]));
  const others = [...parts.slice(index + 1), ...parts.slice(0, index)].filter(
    (part) => states.get(part.sco)?.state !== "done",
  );
  const next = others.find((part) => !states.get(part.sco)?.waitsFor);
  return (
    <div className={card.veil}>
      <section className={card.card} aria-live="polite">
        <h1>{t("player.partEnd.title", { part: parts[index]?.title ?? launch.course.title })}</h1>
        {!next && <p>{t(others.length > 0 ? "player.partEnd.closed" : "player.partEnd.last")}</p>}
        {view.attempt.completion === "complete" && !launch.preview && <EarnedCertificate courseId={launch.course.id} />}
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

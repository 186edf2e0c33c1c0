import { Button } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { SaveState } from "#web/player/session/commitSender.ts";
import card from "#web/player/PlayerCard.module.css";

type Props = { save: SaveState; onTakeOver: () => void; onLeave: () => void };

/** Another window has taken over, an admin has started the course over, or access has ended. */
export function SessionOver({ save, onTakeOver, onLeave }: Props) {
  const { t } = useTranslation();
  const isSuperseded = save.status === "elsewhere";
  const ended = save.status === "ended" && save.isStartedOver ? "startedOver" : "ended";
  const what = isSuperseded ? "superseded" : ended;
  return (
    <div className={card.veil}>
      <section className={card.card} role="alertdialog" aria-labelledby="over" aria-describedby="over-text">
        <h1 id="over">{t(`player.${what}.title`)}</h1>
        <p id="over-text">{t(`player.${what}.text`)}</p>
        <div className={card.choices}>
          {isSuperseded && (
            <Button size="md" className={card.go} autoFocus onClick={onTakeOver}>
              {t("player.elsewhere.continue")}
            </Button>
          )}
          <Button size="md" variant="subtle" className={card.back} onClick={onLeave}>
            {t("player.elsewhere.back")}
          </Button>
        </div>
      </section>
    </div>
  );
}

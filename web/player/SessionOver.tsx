import { Button } from "@mantine/core";
import { useTranslation } from "react-i18next";
import card from "#web/player/PlayerCard.module.css";

type Props = { isSuperseded: boolean; onTakeOver: () => void; onLeave: () => void };

/** Another window has taken over, or access has ended. */
export function SessionOver({ isSuperseded, onTakeOver, onLeave }: Props) {
  const { t } = useTranslation();
  return (
    <div className={card.veil}>
      <section className={card.card} role="alertdialog" aria-labelledby="over" aria-describedby="over-text">
        <h1 id="over">{t(isSuperseded ? "player.superseded.title" : "player.ended.title")}</h1>
        <p id="over-text">{t(isSuperseded ? "player.superseded.text" : "player.ended.text")}</p>
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

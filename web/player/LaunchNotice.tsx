import { Button, Group, Loader } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { formatAgo } from "#web/core/format/format.ts";
import { Heading } from "#web/core/layout/Heading.tsx";
import classes from "#web/player/Player.module.css";
import card from "#web/player/PlayerCard.module.css";

type Props = {
  busy?: boolean;
  title?: string;
  text?: string;
  /** Details of the other window (`player.openElsewhere`). */
  elsewhere?: Record<string, unknown>;
  onContinue?: (() => void) | undefined;
  onBack?: () => void;
  admin?: boolean;
};

/** Shown in place of the player: the course is opening, is open in another window, or cannot be opened. */
export function LaunchNotice({ busy, title, text, elsewhere, onContinue, onBack, admin }: Props) {
  const { t } = useTranslation();
  if (busy) {
    return (
      <main className={classes.dark} aria-busy>
        <Group gap="sm" className={classes.busy} role="status">
          <Loader size="sm" color="#82b9bf" />
          {t("player.opening")}
        </Group>
      </main>
    );
  }
  const heading = elsewhere ? t("player.elsewhere.title") : (title ?? "");
  const explanation = elsewhere
    ? t("player.elsewhere.text", { when: formatAgo(String(elsewhere.startedAt)), device: String(elsewhere.device) })
    : text;
  return (
    <main className={classes.dark}>
      <div className={card.card}>
        <Heading>{heading}</Heading>
        <p>{explanation}</p>
        <Group gap="sm" mt="lg">
          {onContinue && (
            <Button size="md" className={card.go} onClick={onContinue}>
              {elsewhere ? t("player.elsewhere.continue") : t("player.unavailable.retry")}
            </Button>
          )}
          {onBack && (
            <Button size="md" variant="subtle" className={card.back} onClick={onBack}>
              {admin ? t("player.unavailable.backAdmin") : t("player.unavailable.back")}
            </Button>
          )}
        </Group>
      </div>
    </main>
  );
}

import { Button, Group, Loader } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { formatAgo } from "#web/core/format/format.ts";
import { Heading } from "#web/core/layout/Heading.tsx";
import classes from "#web/player/Player.module.css";

type Props = {
  busy?: boolean;
  title?: string;
  text?: string;
  /** Details of the window that has the course. */
  elsewhere?: Record<string, unknown>;
  onGo?: (() => void) | undefined;
  onBack?: () => void;
  admin?: boolean;
};

/** What stands in the player's place when there is no course to show: it is opening, open elsewhere, or why not. */
export function Reason({ busy, title, text, elsewhere, onGo, onBack, admin }: Props) {
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
  const head = elsewhere ? t("player.elsewhere.title") : (title ?? "");
  const words = elsewhere
    ? t("player.elsewhere.text", { when: formatAgo(String(elsewhere.startedAt)), device: String(elsewhere.device) })
    : text;
  return (
    <main className={classes.dark}>
      <div className={classes.card}>
        <Heading>{head}</Heading>
        <p>{words}</p>
        <Group gap="sm" mt="lg">
          {onGo && (
            <Button size="md" className={classes.go} onClick={onGo}>
              {elsewhere ? t("player.elsewhere.continue") : t("player.unavailable.retry")}
            </Button>
          )}
          {onBack && (
            <Button size="md" variant="subtle" className={classes.back} onClick={onBack}>
              {admin ? t("player.unavailable.backAdmin") : t("player.unavailable.back")}
            </Button>
          )}
        </Group>
      </div>
    </main>
  );
}

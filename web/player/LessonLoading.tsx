import { Button, Loader } from "@mantine/core";
import { useTranslation } from "react-i18next";
import classes from "#web/player/LessonScreen.module.css";

type Props = { title: string; hasFailed: boolean; onRetry: () => void };

export function LessonLoading({ title, hasFailed, onRetry }: Props) {
  const { t } = useTranslation();
  return (
    <div className={classes.loading} aria-busy={!hasFailed}>
      <h2>{title}</h2>
      {hasFailed ? (
        <div role="alert">
          <p>{t("lessons.notLoaded")}</p>
          <Button onClick={onRetry}>{t("player.unavailable.retry")}</Button>
        </div>
      ) : (
        <Loader size="sm" role="img" aria-label={t("lessons.loading")} />
      )}
    </div>
  );
}

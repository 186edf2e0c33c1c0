import { Button } from "@mantine/core";
import { useTranslation } from "react-i18next";
import classes from "#web/core/search/SearchDialog.module.css";

type Props = { q: string; role: "admin" | "learner"; failed: boolean; retry: () => void };

/** Shown instead of search results. */
export function NoResults({ q, role, failed, retry }: Props) {
  const { t } = useTranslation();
  return (
    <div className={classes.none} role="status">
      <p className={classes.title}>{failed ? t("search.failed") : t("search.noMatches", { q })}</p>
      {failed ? (
        <Button variant="default" onClick={retry}>
          {t("core.error.retry")}
        </Button>
      ) : (
        <p className={classes.detail}>{t(`search.noMatchesText.${role}`)}</p>
      )}
    </div>
  );
}

import { useTranslation } from "react-i18next";
import classes from "#web/core/layout/SkipLink.module.css";

/**
 * The first link of a page, visible when it has the focus: skips the navigation and goes to the element with the id
 * `content`.
 */
export function SkipLink() {
  const { t } = useTranslation();
  return (
    <a href="#content" className={classes.skip}>
      {t("bar.skipToContent")}
    </a>
  );
}

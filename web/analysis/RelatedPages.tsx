import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import classes from "#web/analysis/analysis.module.css";

const pages = {
  figures: "/reports/conversation-analytics",
  single: "/reports/chatbots",
  themes: "/analysis/chatbot",
} as const;
type Page = keyof typeof pages;

/** What each of the three pages about conversations shows, with links to the other two. */
export function RelatedPages({ current }: { current: Page }) {
  const { t } = useTranslation();
  const others = (Object.keys(pages) as Page[]).filter((page) => page !== current);
  return (
    <span className={classes.related}>
      {others.map((page) => (
        <Link key={page} to={pages[page]}>
          {t(`analysis.related.${page}`)}
        </Link>
      ))}
    </span>
  );
}

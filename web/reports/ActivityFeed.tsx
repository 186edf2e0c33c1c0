import { Tooltip } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import classes from "#web/reports/ActivityFeed.module.css";
import { formatAgo, formatDateTime } from "#web/core/format/format.ts";
import { Section } from "#web/core/layout/Section.tsx";
import type { Dashboard } from "#shared/reports.ts";

/** Stands in a sentence where the link to the person goes. */
const PERSON = "\u0001";

/** What happened last: who completed, failed or joined what. */
export function ActivityFeed({ items }: { items: Dashboard["feed"] }) {
  const { t } = useTranslation();
  return (
    <Section title={t("reports.feed.title")}>
      {items.length === 0 && <p className={classes.none}>{t("reports.feed.none")}</p>}
      <ul className={classes.feed}>
        {items.map(({ kind, who, userId, what, at }) => {
          const [before, after] = t(`reports.feed.${kind}`, { who: PERSON, what }).split(PERSON);
          return (
            <li key={`${kind} ${userId} ${at} ${what}`}>
              <span className={classes.words}>
                {before}
                <Link to={`/learners/report/${userId}`}>{who || t("reports.someone")}</Link>
                {after}
              </span>
              <Tooltip label={formatDateTime(at)}>
                <time dateTime={at}>{formatAgo(at)}</time>
              </Tooltip>
            </li>
          );
        })}
      </ul>
    </Section>
  );
}

import { Tooltip } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import classes from "#web/reports/ActivityFeed.module.css";
import { formatAgo, formatDateTime } from "#web/core/format/format.ts";
import { Section } from "#web/core/layout/Section.tsx";
import type { Dashboard } from "#shared/reports/dashboard.ts";

/** Placeholder for the link to the person in a translated sentence. */
const PERSON_MARKER = "\u0001";

/** Recent activity: completions, failures and new learners. */
export function ActivityFeed({ items }: { items: Dashboard["feed"] }) {
  const { t } = useTranslation();
  return (
    <Section title={t("reports.feed.title")}>
      {items.length === 0 && <p className={classes.none}>{t("reports.feed.none")}</p>}
      <ul className={classes.feed}>
        {items.map(({ kind, who, userId, what, at }) => {
          const [before, after] = t(`reports.feed.${kind}`, { who: PERSON_MARKER, what }).split(PERSON_MARKER);
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

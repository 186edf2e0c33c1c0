import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import classes from "#web/companies/page/JoinedRecently.module.css";
import { queryFor } from "#web/core/api/api.ts";
import { ErrorPanel } from "#web/core/layout/ErrorPanel.tsx";
import { formatAgo } from "#web/core/format/format.ts";
import { PersonMark } from "#web/core/brand/PersonMark.tsx";
import { Section } from "#web/core/layout/Section.tsx";
import { learners } from "#shared/learners/learners.ts";

const MAX_SHOWN = 5;

/**
 * The newest learners and how they joined. The API cannot sort by join date, so they are taken from the recently active
 * ones.
 */
export function JoinedRecently({ companyId }: { companyId: string }) {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(
    queryFor(learners.list, { query: { companyId, status: "active", sort: "-lastActive", size: 100 } }),
  );
  if (error) return <ErrorPanel error={error} onRetry={() => void refetch()} />;
  const rows = (data?.items ?? []).toSorted((a, b) => b.createdAt.localeCompare(a.createdAt)).slice(0, MAX_SHOWN);
  if (rows.length === 0) return null;
  return (
    <Section title={t("companies.joined")}>
      <ul className={classes.list}>
        {rows.map(({ id, name, email, invitedAt, createdAt }) => (
          <li key={id} className={classes.row}>
            <PersonMark name={name || (email ?? "")} size={28} />
            <Link to={`/learners/report/${id}`} className={classes.name}>
              {name || email}
            </Link>
            <span className={classes.method}>
              {t(invitedAt ? "companies.byInvitation" : "companies.byCode", {
                when: formatAgo(createdAt).replace(/^\p{Lu}/u, (letter) => letter.toLowerCase()),
              })}
            </span>
          </li>
        ))}
      </ul>
    </Section>
  );
}

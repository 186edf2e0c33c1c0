import { Pagination } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, useSearchParams } from "react-router";
import { PersonSelect } from "#web/analysis/PersonSelect.tsx";
import { RelatedPages } from "#web/analysis/RelatedPages.tsx";
import classes from "#web/analysis/review.module.css";
import { pagedQueryFor } from "#web/core/api/api.ts";
import { StatusDot } from "#web/core/display/StatusDot.tsx";
import { Time } from "#web/core/display/Time.tsx";
import { formatNumber } from "#web/core/format/format.ts";
import { Heading } from "#web/core/layout/Heading.tsx";
import { useUser } from "#web/core/session/session.tsx";
import { SearchBox } from "#web/core/filter/SearchBox.tsx";
import { analysis } from "#shared/analysis/analysis.ts";
import type { Reply } from "#shared/core/route.ts";
import { isAdmin } from "#shared/core/users.ts";

const SIZE = 25;
type Row = Reply<typeof analysis.reviews>["items"][number];

type Props = { chosen: string | null; userId: string | undefined; isEmpty?: boolean };

/** One's own conversations, or as an admin those of the chosen learner. */
export function ReviewList({ chosen, userId, isEmpty = false }: Props) {
  const { t } = useTranslation();
  const user = useUser();
  const [params, setParams] = useSearchParams();
  const [q, setSearch] = useState("");
  const [page, setPage] = useState(1);
  const query = { page, size: SIZE, ...(q && { q }), ...(userId && { userId }) };
  const { data } = useQuery(pagedQueryFor(analysis.reviews, { query }));
  const linkTo = (id: string) => {
    const next = new URLSearchParams(params);
    next.set("conversation", id);
    next.delete("turn");
    if (userId) next.set("userId", userId);
    return { search: next.toString() };
  };
  const choosePerson = (id: string | null) => setParams(id ? { userId: id } : {});

  return (
    <section className={classes.list} aria-label={t("analysis.review.title")}>
      <div className={classes.listHead}>
        <Heading>{t(isAdmin(user) ? "analysis.review.title" : "analysis.review.yours")}</Heading>
        {!isEmpty && <span className={classes.dim}>{data && formatNumber(data.total)}</span>}
      </div>
      {isAdmin(user) && <RelatedPages current="single" />}
      {isAdmin(user) && <PersonSelect value={userId ?? null} onChange={choosePerson} />}
      {!isEmpty && (
        <SearchBox
          label={t("analysis.review.search")}
          value={q}
          onChange={(text) => {
            setSearch(text);
            setPage(1);
          }}
        />
      )}
      {q !== "" && data?.total === 0 && <p className={classes.dim}>{t("analysis.review.noneFound")}</p>}
      <ul className={classes.items}>
        {data?.items.map((row) => (
          <li key={row.id}>
            <Link to={linkTo(row.id)} aria-current={row.id === chosen || undefined}>
              <strong>{row.title || row.chatbot}</strong>
              {row.title && <span className={classes.itemBot}>{row.chatbot}</span>}
              <span className={classes.itemLine}>
                <Time at={row.lastAt} />
                <Outcome row={row} />
              </span>
            </Link>
          </li>
        ))}
      </ul>
      {data && data.total > SIZE && (
        <Pagination size="sm" mt="sm" value={page} onChange={setPage} total={Math.ceil(data.total / SIZE)} />
      )}
    </section>
  );
}

function Outcome({ row: { outcome, unanswered } }: { row: Row }) {
  const { t } = useTranslation();
  if (outcome === "goal") return <StatusDot tone="ok">{t("analysis.review.goal")}</StatusDot>;
  if (outcome === "ended") return <StatusDot tone="idle">{t("analysis.review.ended")}</StatusDot>;
  if (unanswered === 0) return null;
  return <StatusDot tone="warn">{t("analysis.review.unanswered", { count: unanswered })}</StatusDot>;
}

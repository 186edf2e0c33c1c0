import { useSuspenseQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { useJournalReplay } from "#web/courses/learner/useJournalReplay.ts";
import { DueSection, EarnedSection, ExpiringSection } from "#web/today/TodaySections.tsx";
import { NextCard } from "#web/today/NextCard.tsx";
import { NothingNext } from "#web/today/NothingNext.tsx";
import classes from "#web/today/today.module.css";
import { useLocalDay } from "#web/today/useLocalDay.ts";
import { queryFor } from "#web/core/api/api.ts";
import { Heading } from "#web/core/layout/Heading.tsx";
import { formatLongDay } from "#web/core/format/format.ts";
import { useUser } from "#web/core/session/session.tsx";
import { isAdmin } from "#shared/core/users.ts";
import { todays } from "#shared/today/today.ts";

/** In ms: after a course its result is shown. */
const STALE_MS = 2000;

/** What a learner does next, what is due, what expires and what was completed lately. */
export function TodayPage() {
  const { t } = useTranslation();
  const user = useUser();
  const day = useLocalDay();
  const { data, refetch } = useSuspenseQuery({ ...queryFor(todays.read), staleTime: STALE_MS });
  const isReplayed = useJournalReplay();
  useEffect(() => {
    if (isReplayed) void refetch();
  }, [isReplayed, refetch]);
  const { next, due, expiring, earned } = data;
  const hasAside = expiring.total + earned.total > 0;
  return (
    <>
      <header className={classes.head}>
        <Heading>{t("today.title")}</Heading>
        <time dateTime={day}>{formatLongDay(day)}</time>
      </header>
      <div className={classes.columns} data-two={hasAside || undefined}>
        <div>
          {next ? <NextCard course={next} /> : <NothingNext today={data} isAdmin={isAdmin(user)} />}
          {(next || due.total > 0) && <DueSection due={due} isRest={Boolean(next?.dueDate)} />}
        </div>
        {hasAside && (
          <div>
            {expiring.total > 0 && <ExpiringSection expiring={expiring} userId={user?.id ?? ""} />}
            {earned.total > 0 && <EarnedSection earned={earned} userId={user?.id ?? ""} />}
          </div>
        )}
      </div>
    </>
  );
}

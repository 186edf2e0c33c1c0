import { Anchor } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Suspense, useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { Link, useSearchParams } from "react-router";
import { focusHeading } from "#web/analysis/focusHeading.ts";
import { ReviewList } from "#web/analysis/ReviewList.tsx";
import { ReviewTranscript } from "#web/analysis/ReviewTranscript.tsx";
import classes from "#web/analysis/review.module.css";
import { queryFor } from "#web/core/api/api.ts";
import { EmptyState } from "#web/core/layout/EmptyState.tsx";
import { PageSkeleton } from "#web/core/layout/PageSkeleton.tsx";
import { useIsPhone } from "#web/core/display/useIsPhone.ts";
import { useUser } from "#web/core/session/session.tsx";
import { analysis } from "#shared/analysis/analysis.ts";
import { isAdmin } from "#shared/core/users.ts";

/** Reviews of conversations: the list, the transcript and the feedback. */
export function ReviewPage() {
  const { t } = useTranslation();
  const isPhone = useIsPhone();
  const isReader = isAdmin(useUser());
  const [params] = useSearchParams();
  const chosen = params.get("conversation");
  const userId = usePersonOf(chosen, params.get("userId"));
  const { data } = useQuery(queryFor(analysis.reviews, { query: { size: 1, ...(userId && { userId }) } }));
  const panes = useRef<HTMLDivElement>(null);
  const before = useRef(chosen);
  useEffect(() => {
    if (isPhone && before.current && !chosen) focusHeading(panes.current);
    before.current = chosen;
  }, [isPhone, chosen]);
  const newest = data?.items[0]?.id;
  // On a phone only the list is shown until a conversation is selected.
  const shown = chosen ?? (isPhone ? null : newest);
  const back = new URLSearchParams(params);
  back.delete("conversation");

  if (data?.total === 0 && !chosen)
    return (
      <>
        <ReviewList chosen={null} userId={userId} isEmpty />
        {isReader && userId && <EmptyState title={t("analysis.review.noneOf")} />}
        {isReader && !userId && (
          <EmptyState title={t("analysis.review.choosePerson")} text={t("analysis.review.choosePersonText")} />
        )}
        {!isReader && <EmptyState title={t("analysis.review.none")} text={t("analysis.review.noneText")} />}
      </>
    );
  return (
    <div className={classes.panes} ref={panes}>
      {(!isPhone || !chosen) && <ReviewList chosen={shown ?? null} userId={userId} />}
      {isPhone && chosen && (
        <p>
          <Anchor component={Link} to={{ search: back.toString() }}>
            {t("analysis.review.back")}
          </Anchor>
        </p>
      )}
      {shown && (
        <Suspense fallback={<PageSkeleton />}>
          <ReviewTranscript key={shown} id={shown} />
        </Suspense>
      )}
    </div>
  );
}

/** The chosen person or, if the page was opened with a link to a conversation, its person. Only admins choose. */
function usePersonOf(conversationId: string | null, chosenId: string | null) {
  const isReader = isAdmin(useUser());
  const { data } = useQuery({
    ...queryFor(analysis.review, { params: { id: conversationId ?? "" } }),
    enabled: isReader && conversationId !== null && chosenId === null,
  });
  return chosenId ?? (isReader ? data?.person?.id : undefined);
}

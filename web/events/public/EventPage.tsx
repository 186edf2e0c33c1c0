import { useQuery } from "@tanstack/react-query";
import { Navigate, useParams, useSearchParams } from "react-router";
import { PageSkeleton } from "#web/core/layout/PageSkeleton.tsx";
import { EventDetails } from "#web/events/public/EventDetails.tsx";
import { EventNotFound } from "#web/events/public/EventNotFound.tsx";
import { PublicPage } from "#web/events/public/PublicPage.tsx";
import { eventQuery } from "#web/events/public/eventQuery.ts";
import { isStatus } from "#web/core/http/http.ts";

/** /events/{slug}: an event. A former slug redirects to the current one. */
export function EventPage() {
  const { slug = "" } = useParams();
  const [search] = useSearchParams();
  const code = search.get("code") ?? "";
  const { data, error } = useQuery(eventQuery(slug, code));
  if (error && !isStatus(error, 404)) throw error;
  if (error)
    return (
      <PublicPage>
        <EventNotFound slug={slug} code={code} />
      </PublicPage>
    );
  if (!data)
    return (
      <PublicPage>
        <PageSkeleton />
      </PublicPage>
    );
  if (!data.event)
    return data.movedTo ? (
      <Navigate to={{ pathname: `/events/${data.movedTo}`, search: search.toString() }} replace />
    ) : (
      <PublicPage>
        <EventNotFound slug={slug} code={code} />
      </PublicPage>
    );
  return (
    <PublicPage>
      <EventDetails event={data.event} code={code} />
    </PublicPage>
  );
}

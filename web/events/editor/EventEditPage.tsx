import { useQuery } from "@tanstack/react-query";
import { useParams } from "react-router";
import { queryFor } from "#web/core/api/api.ts";
import { PageSkeleton } from "#web/core/layout/PageSkeleton.tsx";
import { EventEditor } from "#web/events/editor/EventEditor.tsx";
import { events } from "#shared/events/events.ts";

/** /admin/events/edit/{id} */
export function EventEditPage() {
  const { id = "" } = useParams();
  const { data, error } = useQuery(queryFor(events.get, { params: { id } }));
  if (error && !data) throw error;
  return data ? <EventEditor key={id} event={data} /> : <PageSkeleton />;
}

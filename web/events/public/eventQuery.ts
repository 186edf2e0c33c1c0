import { queryFor } from "#web/core/api/api.ts";
import { events } from "#shared/events/events.ts";

/** The query for a public event, with the access code from the URL if there is one. */
export const eventQuery = (slug: string, code: string) =>
  queryFor(events.show, { params: { slug }, query: { ...(code && { code }) } });

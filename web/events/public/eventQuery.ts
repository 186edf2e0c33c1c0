import { queryFor } from "#web/core/api/api.ts";
import { events } from "#shared/events.ts";

/** One event as visitors see it, with the code of the address when there is one. */
export const eventQuery = (slug: string, code: string) =>
  queryFor(events.show, { params: { slug }, query: { ...(code && { code }) } });

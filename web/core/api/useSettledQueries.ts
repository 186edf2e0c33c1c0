import { type FetchQueryOptions, type QueryKey, useQueryClient } from "@tanstack/react-query";

/** The part of query options that is the same for every reply. */
type Query = { queryKey: QueryKey };

/**
 * Suspends until each query has a reply or has failed once, all in parallel. For the optional parts of a page: they
 * appear with the rest and move nothing, and if one fails, only that part is missing.
 */
export function useSettledQueries(queries: Query[]) {
  const client = useQueryClient();
  const pending = queries.filter(({ queryKey }) => (client.getQueryState(queryKey)?.status ?? "pending") === "pending");
  if (pending.length > 0)
    // Suspense of React 19 accepts a promise that is thrown; `use` would need the same one in each attempt to render.
    throw Promise.all(pending.map((query) => client.prefetchQuery({ ...(query as FetchQueryOptions), retry: false })));
}

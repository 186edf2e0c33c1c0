import { useCallback, useMemo } from "react";
import { useSearchParams } from "react-router";

export type ListState = { q: string; filters: Record<string, string>; sort: string; page: number; size: number };
type Change = Partial<Omit<ListState, "filters">> & { filters?: Record<string, string> };
type Options = {
  filters?: string[];
  /** Default sort; not part of the URL. */
  sort?: string;
  size?: number;
  /** Prefix of all URL parameters, if a page has two lists: `courses.` */
  prefix?: string;
};

/**
 * The state of a list, stored in the URL: q, filters, sort, page, size. Any change except of the page resets it to page
 * 1. Searching replaces the history entry; other changes add one, so that Back undoes them.
 */
export function useListState({ filters = [], sort = "", size = 25, prefix = "" }: Options) {
  const [params, setParams] = useSearchParams();
  const names = filters.join();

  const state = useMemo<ListState>(() => {
    const read = (key: string) => params.get(prefix + key) ?? "";
    const active = names.split(",").flatMap((key) => (key && read(key) ? [[key, read(key)]] : []));
    return {
      q: read("q"),
      filters: Object.fromEntries(active) as Record<string, string>,
      sort: read("sort") || sort,
      page: Math.max(1, Math.trunc(Number(read("page"))) || 1),
      size: Number(read("size")) || size,
    };
  }, [params, names, sort, size, prefix]);

  const change = useCallback(
    ({ filters: changed, ...rest }: Change) => {
      const next = { ...(rest.page === undefined && { page: 1 }), ...rest, ...changed };
      const defaults: Record<string, unknown> = { page: 1, sort, size };
      setParams(
        (before) => {
          const after = new URLSearchParams(before);
          for (const [key, value] of Object.entries(next)) {
            if (value === "" || value === undefined || value === defaults[key]) after.delete(prefix + key);
            else after.set(prefix + key, String(value));
          }
          return after;
        },
        { replace: rest.q !== undefined, preventScrollReset: true },
      );
    },
    [setParams, sort, size, prefix],
  );

  const clear = useCallback(
    () =>
      change({
        q: "",
        filters: Object.fromEntries(
          names
            .split(",")
            .filter(Boolean)
            .map((key) => [key, ""]),
        ),
      }),
    [change, names],
  );
  return { state, change, clear, filtered: state.q !== "" || Object.keys(state.filters).length > 0 };
}

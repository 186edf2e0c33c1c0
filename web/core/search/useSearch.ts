import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { pagedQueryFor } from "#web/core/api/api.ts";
import type { Screens } from "#web/core/menu/barLinks.ts";
import { findPages, groupResults, listPages, type SearchGroup } from "#web/core/search/searchGroups.tsx";
import { search } from "#shared/search/search.ts";
import type { User } from "#shared/core/users.ts";

const TYPING_MS = 150;

/**
 * The results for a text: all pages while it is empty, otherwise matching pages immediately and the results of the
 * server shortly afterwards. `settled`: the results belong to this text, so that Enter opens the intended one.
 */
export function useSearch(text: string, user: User, screens: Screens) {
  const { t } = useTranslation();
  const q = text.trim().replace(/\s+/g, " ");
  const [settledText] = useDebouncedValue(q, TYPING_MS);
  const { data, error, isPlaceholderData, refetch } = useQuery({
    ...pagedQueryFor(search.find, { query: { q: settledText } }),
    enabled: settledText !== "" && q !== "",
  });
  const pages = useMemo(() => listPages(user, screens, t), [user, screens, t]);
  const groups = useMemo<SearchGroup[]>(() => {
    const found = q === "" ? pages : findPages(pages, q);
    const results = q !== "" && data ? groupResults(data, user, settledText, t) : [];
    return [{ kind: "pages" as const, options: found }, ...results].filter(({ options }) => options.length > 0);
  }, [q, pages, data, user, settledText, t]);
  const settled = q === "" || (q === settledText && !isPlaceholderData && (data !== undefined || error !== null));
  return { q, groups, settled, failure: q !== "" && !data ? error : null, retry: () => void refetch() };
}

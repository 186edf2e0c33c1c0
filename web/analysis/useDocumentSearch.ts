import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { queryFor } from "#web/core/api/api.ts";
import { documents } from "#shared/documents/documents.ts";

const LISTED = 100;

/**
 * Documents for a select: the first ones by title, or those that match what is typed. The select puts the title of the
 * selected document into its search box (`titles` by id); that title is not searched for.
 */
export function useDocumentSearch(titles: Map<string, string>, chosen: string | null) {
  const [typed, setTyped] = useState("");
  const [q] = useDebouncedValue(typed.trim(), 250);
  const isChosen = chosen !== null && titles.get(chosen) === q;
  const query = { size: LISTED, ...(q && !isChosen && { q: q.slice(0, 200) }) };
  const { data } = useQuery({ ...queryFor(documents.list, { query }), placeholderData: keepPreviousData });
  for (const { id, title } of data?.items ?? []) titles.set(id, title);
  return { items: data?.items ?? [], typed, setTyped };
}

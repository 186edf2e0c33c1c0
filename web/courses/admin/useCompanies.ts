import { useQuery } from "@tanstack/react-query";
import { fetchAllRows } from "#web/core/table/csv.ts";
import { companies } from "#shared/companies.ts";

/** All companies that are not archived, by name, as options of filters and dialogs. Empty while loading. */
export function useCompanies() {
  const { data } = useQuery({
    queryKey: ["companies", "choices"],
    queryFn: () => fetchAllRows(companies.list, { sort: "name" }),
    staleTime: 60_000,
  });
  return data ?? [];
}

import { useQuery } from "@tanstack/react-query";
import { fetchAllRows } from "#web/core/table/csv.ts";
import { companies } from "#shared/companies.ts";

/** Every company that is not archived, by name: choices of filters and dialogs. Empty while they load. */
export function useCompanies() {
  const { data } = useQuery({
    queryKey: ["companies", "choices"],
    queryFn: () => fetchAllRows(companies.list, { sort: "name" }),
    staleTime: 60_000,
  });
  return data ?? [];
}

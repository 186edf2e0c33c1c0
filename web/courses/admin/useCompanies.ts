import { useQueries, useQuery } from "@tanstack/react-query";
import { queryFor } from "#web/core/api/api.ts";
import { companies } from "#shared/companies/companies.ts";

/** All companies that are not archived, by name, as options of filters and dialogs. Empty while loading. */
export function useCompanies() {
  const { data } = useQuery({ ...queryFor(companies.choices), staleTime: 60_000 });
  return data?.items ?? [];
}

/** How many learners these companies have together, as far as it is known. */
export function useLearnerCount(companyIds: string[]) {
  const found = useQueries({ queries: companyIds.map((id) => queryFor(companies.get, { params: { id } })) });
  return found.reduce((sum, { data }) => sum + (data?.learners ?? 0), 0);
}

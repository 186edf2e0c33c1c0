import { useQuery } from "@tanstack/react-query";
import { queryFor } from "#web/core/api/api.ts";
import { type Field, fields } from "#shared/fields/fields.ts";

/** The fields of the people of a company; without one, those that all companies have. Undefined until they are here. */
export function useFields(companyId: string | null | undefined): Field[] | undefined {
  const query = companyId ? { companyId } : {};
  return useQuery(queryFor(fields.list, { query })).data?.items;
}

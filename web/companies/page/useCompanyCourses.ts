import { useSuspenseQuery } from "@tanstack/react-query";
import { queryFor } from "#web/core/api/api.ts";
import { companies } from "#shared/companies/companies.ts";

/** The courses of a company with its statistics. */
export const useCompanyCourses = (companyId: string) =>
  useSuspenseQuery(queryFor(companies.courses, { params: { id: companyId } })).data.items;

import { useSuspenseQuery } from "@tanstack/react-query";
import { ask } from "#web/core/api/api.ts";
import { companies } from "#shared/companies.ts";

/** The courses of a company with its own figures. */
export const useCompanyCourses = (companyId: string) =>
  useSuspenseQuery(ask(companies.courses, { params: { id: companyId } })).data.items;

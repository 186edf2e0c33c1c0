import { useCompanies } from "#web/courses/admin/useCompanies.ts";

/** The companies as options, by name. */
export const useCompanyChoices = () => useCompanies().map(({ id, name }) => ({ value: id, label: name }));

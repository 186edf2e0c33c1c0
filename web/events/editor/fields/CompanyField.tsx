import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { queryFor } from "#web/core/api/api.ts";
import { CompanySelect } from "#web/learners/CompanySelect.tsx";
import { companies } from "#shared/companies/companies.ts";

type Props = {
  label: string;
  description?: ReactNode;
  id: string | null;
  onChange: (id: string | null) => void;
  error?: ReactNode;
};

/** Selects a company by id; loads its name first. */
export function CompanyField({ id, onChange, ...rest }: Props) {
  const { data, isLoading } = useQuery({
    ...queryFor(companies.get, { params: { id: id ?? "" } }),
    enabled: id !== null,
  });
  if (id && isLoading) return null;
  return (
    <CompanySelect
      {...rest}
      value={id ? (data ?? null) : null}
      onChange={(company) => onChange(company?.id ?? null)}
      key={id && data ? "named" : "open"}
    />
  );
}

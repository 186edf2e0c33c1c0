import { useSuspenseQuery } from "@tanstack/react-query";
import { useParams } from "react-router";
import { queryFor } from "#web/core/api/api.ts";
import { CompanyMark } from "#web/core/brand/CompanyMark.tsx";
import { ReportPage } from "#web/reports/figures/ReportPage.tsx";
import { companies } from "#shared/companies/companies.ts";

export function CompanyReportPage() {
  const { id = "" } = useParams();
  const { data: company } = useSuspenseQuery(queryFor(companies.get, { params: { id } }));
  return (
    <ReportPage
      kind="company"
      parent={`/companies/${id}`}
      mark={<CompanyMark name={company.name} color={company.color} logo={company.logo} size={52} />}
    />
  );
}

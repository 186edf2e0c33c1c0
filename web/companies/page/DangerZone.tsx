import { Button } from "@mantine/core";
import { useTranslation } from "react-i18next";
import classes from "#web/companies/CompanyForm.module.css";
import { useCompanyActions } from "#web/companies/useCompanyActions.ts";
import type { Company, CompanyRow } from "#shared/companies/companies.ts";

/** Buttons to suspend, archive or reactivate a company, with their consequences. */
export function DangerZone({ company }: { company: CompanyRow }) {
  const { t } = useTranslation();
  const { suspend, archive, reactivate } = useCompanyActions();
  const action = (status: Company["status"], run: (company: CompanyRow) => void) => (
    <li className={classes.action}>
      <div>
        <strong>{t(`companies.statusChanges.${status}.verb`)}</strong>
        <p>{t(`companies.statusChanges.${status}.text`, { count: company.seats })}</p>
      </div>
      <Button variant="default" {...(status !== "active" && { c: "var(--ly-bad)" })} onClick={() => run(company)}>
        {t(`companies.statusChanges.${status}.verb`)}
      </Button>
    </li>
  );
  return (
    <ul className={classes.danger}>
      {company.status !== "active" && action("active", reactivate)}
      {company.status === "active" && action("suspended", suspend)}
      {company.status !== "archived" && action("archived", archive)}
    </ul>
  );
}

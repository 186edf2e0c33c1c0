import { Button } from "@mantine/core";
import { useTranslation } from "react-i18next";
import classes from "#web/companies/CompanyForm.module.css";
import { useCompanyActions } from "#web/companies/useCompanyActions.ts";
import type { Company, CompanyRow } from "#shared/companies.ts";

/** Suspend, archive, reactivate, each with what follows in numbers. */
export function DangerZone({ company }: { company: CompanyRow }) {
  const { t } = useTranslation();
  const { suspend, archive, reactivate } = useCompanyActions();
  const act = (status: Company["status"], run: (company: CompanyRow) => void) => (
    <li className={classes.act}>
      <div>
        <strong>{t(`companies.statusChanges.${status}.verb`)}</strong>
        <p>{t(`companies.statusChanges.${status}.text`, { count: company.learners })}</p>
      </div>
      <Button variant="default" {...(status !== "active" && { c: "var(--ly-bad)" })} onClick={() => run(company)}>
        {t(`companies.statusChanges.${status}.verb`)}
      </Button>
    </li>
  );
  return (
    <ul className={classes.danger}>
      {company.status !== "active" && act("active", reactivate)}
      {company.status === "active" && act("suspended", suspend)}
      {company.status !== "archived" && act("archived", archive)}
    </ul>
  );
}

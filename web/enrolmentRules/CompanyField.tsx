import { SegmentedControl } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import classes from "#web/enrolmentRules/enrolmentRules.module.css";
import { CompanySelect } from "#web/learners/CompanySelect.tsx";
import type { CompanyRow } from "#shared/companies/companies.ts";
import type { RuleDetail } from "#shared/enrolmentRules/enrolmentRules.ts";

type Props = {
  rule?: RuleDetail | undefined;
  /** Null for all companies, undefined while none is chosen. */
  value: string | null | undefined;
  error?: string | undefined;
  onChange: (company: { id: string } | null | undefined) => void;
};

/** One company or all. A stored rule keeps its company. */
export function CompanyField({ rule, value, error, onChange }: Props) {
  const { t } = useTranslation();
  const [row, setRow] = useState<CompanyRow | null>(null);
  if (rule) return <p className={classes.fixed}>{rule.company ?? t("enrolmentRules.allCompanies")}</p>;
  return (
    <>
      <SegmentedControl
        aria-label={t("enrolmentRules.fields.companyId")}
        value={value === null ? "all" : "one"}
        data={[
          { value: "one", label: t("enrolmentRules.oneCompany") },
          { value: "all", label: t("enrolmentRules.allCompanies") },
        ]}
        onChange={(kind) => onChange(kind === "all" ? null : (row ?? undefined))}
      />
      {value !== null && (
        <CompanySelect
          label={t("enrolmentRules.company")}
          value={row}
          error={error}
          onChange={(next) => {
            setRow(next);
            onChange(next ?? undefined);
          }}
        />
      )}
    </>
  );
}

import { useTranslation } from "react-i18next";
import { registrationClosedReason } from "#web/companies/registrationClosedReason.ts";
import { Pill } from "#web/core/display/Pill.tsx";
import { daysUntil } from "#web/learners/days.ts";
import type { CompanyRow } from "#shared/companies/companies.ts";

/** A code that expires within this number of days is highlighted. */
const SOON_DAYS = 14;
const tones = { off: "idle", expired: "bad", usedUp: "warn", full: "warn" } as const;

/** The most important exception of a company, such as an expired code; nothing if there is none. */
export function CompanyPill({ company }: { company: CompanyRow }) {
  const { t } = useTranslation();
  const reason = registrationClosedReason(company);
  if (reason === "suspended" || reason === "archived") return <Pill>{t(`companies.is.${reason}`)}</Pill>;
  if (reason) return <Pill tone={tones[reason]}>{t(`companies.pill.${reason}`)}</Pill>;
  const days = company.codeExpiresAt === null ? Infinity : daysUntil(company.codeExpiresAt);
  if (days <= SOON_DAYS) return <Pill tone="warn">{t("companies.pill.expires", { count: days })}</Pill>;
  return null;
}

import { useTranslation } from "react-i18next";
import { registrationClosedReason } from "#web/companies/registrationClosedReason.ts";
import { Pill } from "#web/core/display/Pill.tsx";
import { daysUntil } from "#web/learners/days.ts";
import type { CompanyRow } from "#shared/companies.ts";

/** A code that ends this soon is worth a mention. */
const SOON_DAYS = 14;
const tones = { off: "idle", expired: "bad", usedUp: "warn", full: "warn" } as const;

/** The one thing about a company that is out of the ordinary; nothing when all is well. */
export function CompanyPill({ company }: { company: CompanyRow }) {
  const { t } = useTranslation();
  const closed = registrationClosedReason(company);
  if (closed === "suspended" || closed === "archived") return <Pill>{t(`companies.is.${closed}`)}</Pill>;
  if (closed) return <Pill tone={tones[closed]}>{t(`companies.pill.${closed}`)}</Pill>;
  const days = company.codeExpiresAt === null ? Infinity : daysUntil(company.codeExpiresAt);
  if (days <= SOON_DAYS) return <Pill tone="warn">{t("companies.pill.expires", { count: days })}</Pill>;
  return null;
}

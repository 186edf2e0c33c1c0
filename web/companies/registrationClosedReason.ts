import { isOver } from "#web/learners/days.ts";
import type { CompanyRow } from "#shared/companies/companies.ts";

/** Why nobody can register with the access code at the moment; null if people can. */
export function registrationClosedReason({
  status,
  codeEnabled,
  codeExpiresAt,
  codeMaxUses,
  codeUsedCount,
  learnerLimit,
  seats,
}: CompanyRow) {
  if (status !== "active") return status;
  if (!codeEnabled) return "off";
  if (codeExpiresAt !== null && isOver(codeExpiresAt)) return "expired";
  if (codeMaxUses !== null && codeUsedCount >= codeMaxUses) return "usedUp";
  return learnerLimit !== null && seats >= learnerLimit ? "full" : null;
}

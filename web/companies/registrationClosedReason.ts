import { isOver } from "#web/learners/days.ts";
import type { CompanyRow } from "#shared/companies.ts";

/** Why nobody gets in with the code at the moment; null when people do. */
export function registrationClosedReason({
  status,
  codeEnabled,
  codeExpiresAt,
  codeMaxUses,
  codeUsedCount,
  learnerLimit,
  learners,
}: CompanyRow) {
  if (status !== "active") return status;
  if (!codeEnabled) return "off";
  if (codeExpiresAt !== null && isOver(codeExpiresAt)) return "expired";
  if (codeMaxUses !== null && codeUsedCount >= codeMaxUses) return "usedUp";
  return learnerLimit !== null && learners >= learnerLimit ? "full" : null;
}

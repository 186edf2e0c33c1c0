import type { TFunction } from "i18next";
import type { KeyScope } from "#shared/core/users.ts";

/**
 * What a scope permits, in words. The keys of texts have no colon, because i18next reads one as the end of a namespace.
 */
export function scopeText(scope: KeyScope, t: TFunction) {
  const texts: Record<KeyScope, string> = {
    "values:read": t("apiKeys.scope.readValues"),
    "values:write": t("apiKeys.scope.writeValues"),
    "learners:read": t("apiKeys.scope.readLearners"),
    "reports:read": t("apiKeys.scope.readReports"),
  };
  return texts[scope];
}

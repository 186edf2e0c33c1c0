import type { TFunction } from "i18next";
import type { ClientScope } from "#shared/statements/statements.ts";

/** What a scope permits, in words. */
export function clientScopeText(scope: ClientScope, t: TFunction) {
  const texts: Record<ClientScope, string> = {
    "statements/write": t("statements.scope.write"),
    "statements/read": t("statements.scope.read"),
    "statements/read/mine": t("statements.scope.readMine"),
    state: t("statements.scope.state"),
    profile: t("statements.scope.profile"),
    "all/read": t("statements.scope.allRead"),
    all: t("statements.scope.all"),
  };
  return texts[scope];
}

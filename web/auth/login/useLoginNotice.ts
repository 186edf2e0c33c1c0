import { useTranslation } from "react-i18next";
import { useSearchParams } from "react-router";

/** Success message on the login page, from the query string such as /login?registered=true. */
export function useLoginNotice() {
  const { t } = useTranslation();
  const [search] = useSearchParams();
  if (search.get("registered") === "true") return t("auth.login.registered");
  if (search.get("reset") === "sent") return t("auth.login.resetSent");
  if (search.get("reset") === "done") return t("auth.login.resetDone");
  if (search.get("newEmail") === "true") return t("auth.newEmail.done");
  if (search.get("confirmed") === "true") return t("auth.login.confirmed");
  if (search.get("confirmed") === "false") return t("auth.login.claimRejected");
  return null;
}

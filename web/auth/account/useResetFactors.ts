import { useTranslation } from "react-i18next";
import { useApiMutation } from "#web/core/api/api.ts";
import type { Confirmation } from "#web/core/dialog/confirm.ts";
import { toast } from "#web/core/toast/toast.ts";
import { accounts } from "#shared/auth/account.ts";

/** Returns the confirmation for removing a person's second factor, for `confirm` and `ConfirmButton`. */
export function useResetFactors() {
  const { t } = useTranslation();
  const reset = useApiMutation(accounts.resetFactors);
  return (person: { id: string; name: string; email: string | null }): Confirmation => {
    const name = person.name || (person.email ?? "");
    return {
      title: t("account.resetFactors.title", { name }),
      text: t("account.resetFactors.text", { name }),
      confirmLabel: t("account.resetFactors.verb"),
      cancelLabel: t("account.resetFactors.keep"),
      danger: true,
      onConfirm: async () => {
        await reset.mutateAsync({ params: { id: person.id } });
        toast.done(t("account.resetFactors.done"));
      },
    };
  };
}

import { useTranslation } from "react-i18next";
import { useApiMutation } from "#web/core/api/api.ts";
import { confirm } from "#web/core/dialog/confirm.ts";
import { toast } from "#web/core/toast/toast.ts";
import { type Variable, variables } from "#shared/variables/variables.ts";

/** Archives and restores variables, with Undo. */
export function useVariableActions() {
  const { t } = useTranslation();
  const archiving = useApiMutation(variables.archive, { quiet: true });
  const restoring = useApiMutation(variables.restore);
  const restore = async ({ id, label }: Variable) => {
    await restoring.mutateAsync({ params: { id } });
    toast.done(t("variables.archive.restored", { label }));
  };
  const archive = (variable: Variable) => {
    const { id, label } = variable;
    confirm({
      title: t("variables.archive.title", { label }),
      text: t("variables.archive.text"),
      confirmLabel: t("variables.archive.verb"),
      cancelLabel: t("variables.archive.keep"),
      onConfirm: async () => {
        await archiving.mutateAsync({ params: { id } });
        toast.done(t("variables.archive.done", { label }), {
          action: { label: t("variables.archive.undo"), run: () => void restore(variable) },
        });
      },
    });
  };
  return { archive, restore };
}

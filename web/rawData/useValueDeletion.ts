import { useTranslation } from "react-i18next";
import { useApiMutation } from "#web/core/api/api.ts";
import { confirm } from "#web/core/dialog/confirm.ts";
import { toast } from "#web/core/toast/toast.ts";
import { rawData, RESTORE_DAYS, type RawValue } from "#shared/rawData/rawData.ts";

/** Deletes one value after a confirmation, with Undo. */
export function useValueDeletion() {
  const { t } = useTranslation();
  const removing = useApiMutation(rawData.removeValue, { quiet: true });
  const restoring = useApiMutation(rawData.restore);
  return ({ id, label, learner, company }: RawValue) =>
    confirm({
      title: t("rawData.remove.title", { label }),
      text: t("rawData.remove.text", { learner: learner || company, count: RESTORE_DAYS }),
      confirmLabel: t("rawData.remove.action"),
      cancelLabel: t("rawData.remove.keep"),
      danger: true,
      onConfirm: async () => {
        const deletion = await removing.mutateAsync({ params: { valueId: id } });
        const restore = async () => {
          await restoring.mutateAsync({ params: { id: deletion.id } });
          toast.done(t("rawData.remove.restored", { label }));
        };
        toast.done(t("rawData.remove.done", { label }), {
          action: { label: t("core.undo"), run: () => void restore() },
        });
      },
    });
}

import { useTranslation } from "react-i18next";
import { useApiMutation } from "#web/core/api/api.ts";
import { confirm } from "#web/core/dialog/confirm.ts";
import { toast } from "#web/core/toast/toast.ts";
import { type Flow, flows } from "#shared/flows/flows.ts";

/** Actions on a flow besides editing it. */
export function useFlowActions() {
  const { t } = useTranslation();
  const update = useApiMutation(flows.update);
  const remove = useApiMutation(flows.remove, { quiet: true });
  return {
    setActive: ({ id, version }: Flow, isActive: boolean) =>
      void update.mutateAsync({ params: { id }, body: { version, isActive } }).catch(() => {}),
    remove: ({ id, source, target }: Flow) =>
      confirm({
        title: t("flows.removeTitle", { source: source.label, target: target.label }),
        text: t("flows.removeText"),
        confirmLabel: t("flows.remove"),
        cancelLabel: t("flows.keep"),
        danger: true,
        onConfirm: async () => {
          await remove.mutateAsync({ params: { id } });
          toast.done(t("flows.removed"));
        },
      }),
  };
}

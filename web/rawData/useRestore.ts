import { useTranslation } from "react-i18next";
import { useApiMutation } from "#web/core/api/api.ts";
import { toast } from "#web/core/toast/toast.ts";
import { type Deletion, rawData } from "#shared/rawData/rawData.ts";

/** Restores the values of a deletion. */
export function useRestore() {
  const { t } = useTranslation();
  const restoring = useApiMutation(rawData.restore);
  const restore = async ({ id, values }: Deletion) => {
    const restored = await restoring.mutateAsync({ params: { id } });
    toast.done(t("rawData.deletion.restoredToast", { count: values }));
    return restored;
  };
  return {
    restore,
    isRestoring: (id: string) => restoring.isPending && restoring.variables?.params.id === id,
  };
}

import { useTranslation } from "react-i18next";
import { useApiMutation } from "#web/core/api/api.ts";
import { confirm } from "#web/core/dialog/confirm.ts";
import { toast } from "#web/core/toast/toast.ts";
import { type Connector, connectors } from "#shared/connectors/connectors.ts";

/** Tests, turns off, archives and deletes connectors. */
export function useConnectorActions() {
  const { t } = useTranslation();
  const testing = useApiMutation(connectors.test);
  const setting = useApiMutation(connectors.setStatus);
  const removing = useApiMutation(connectors.remove, { quiet: true });
  const archive = ({ id, name }: Connector) =>
    confirm({
      title: t("connectors.archiveOf.title", { name }),
      text: t("connectors.archiveOf.text"),
      confirmLabel: t("connectors.archiveOf.verb"),
      cancelLabel: t("connectors.archiveOf.keep"),
      onConfirm: async () => {
        await setting.mutateAsync({ params: { id }, body: { status: "archived" } });
        toast.done(t("connectors.archiveOf.done", { name }));
      },
    });
  const remove = ({ id, name }: Connector) =>
    confirm({
      title: t("connectors.removeOf.title", { name }),
      text: t("connectors.removeOf.text"),
      confirmLabel: t("connectors.removeOf.verb"),
      cancelLabel: t("connectors.archiveOf.keep"),
      danger: true,
      onConfirm: async () => {
        await removing.mutateAsync({ params: { id } });
        toast.done(t("connectors.removeOf.done", { name }));
      },
    });
  return {
    archive,
    remove,
    test: ({ id }: Connector) => testing.mutate({ params: { id }, body: {} }),
    isTesting: ({ id }: Connector) => testing.isPending && testing.variables.params.id === id,
    setStatus: ({ id }: Connector, status: "active" | "disabled") =>
      setting.mutate({ params: { id }, body: { status } }),
  };
}
export type ConnectorActions = ReturnType<typeof useConnectorActions>;

import { useTranslation } from "react-i18next";
import { call, useApiMutation } from "#web/core/api/api.ts";
import { download } from "#web/core/api/download.ts";
import { confirm } from "#web/core/dialog/confirm.ts";
import { urlOf } from "#web/core/http/http.ts";
import { toast } from "#web/core/toast/toast.ts";
import { type Group, groups } from "#shared/groups/groups.ts";

/** What is done with a group from its row and from its page. */
export function useGroupActions(onRemoved: () => void = () => {}) {
  const { t } = useTranslation();
  const remove = useApiMutation(groups.remove, { quiet: true });
  const saveFile = ({ id, name }: Pick<Group, "id" | "name">) =>
    download(urlOf(groups.export, { params: { id } }), `${name}.csv`).catch((error: unknown) => toast.failed(error));
  const askToRemove = async ({ id, name, people }: Pick<Group, "id" | "name" | "people">) => {
    const { usedBy } = await call(groups.get, { params: { id } });
    if (usedBy.length > 0) {
      confirm({
        title: t("groups.usedTitle", { name }),
        text: (
          <>
            {t("groups.usedText")}
            <ul>
              {usedBy.map((user) => (
                <li key={user.id}>{user.name}</li>
              ))}
            </ul>
          </>
        ),
        confirmLabel: t("groups.close"),
        cancelLabel: t("groups.keep"),
        onConfirm: () => {},
      });
      return;
    }
    confirm({
      title: t("groups.removeTitle", { name }),
      text: t("groups.removeText", { count: people }),
      confirmLabel: t("groups.remove"),
      cancelLabel: t("groups.keep"),
      danger: true,
      onConfirm: async () => {
        onRemoved();
        await remove.mutateAsync({ params: { id } });
        toast.done(t("groups.removed", { name }));
      },
    });
  };
  return {
    saveFile,
    askToRemove: (group: Pick<Group, "id" | "name" | "people">) =>
      void askToRemove(group).catch((error: unknown) => toast.failed(error)),
  };
}

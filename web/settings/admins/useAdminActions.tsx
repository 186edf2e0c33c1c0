import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useApiMutation } from "#web/core/api/api.ts";
import { confirm } from "#web/core/dialog/confirm.ts";
import { lazyDialog } from "#web/core/dialog/lazyDialog.tsx";
import { useUser } from "#web/core/session/session.tsx";
import { useLogout } from "#web/core/session/useLogout.ts";
import { toast } from "#web/core/toast/toast.ts";
import { showReceipt } from "#web/privacy/showReceipt.tsx";
import { type Admin, admins, type SentInvitation } from "#shared/auth/admins.ts";

const EraseDialog = lazyDialog(() => import("#web/privacy/EraseDialog.tsx").then(({ EraseDialog }) => EraseDialog));

type Link = { email: string; link: string };
export type AdminActions = Record<"resend" | "revoke" | "inviteAgain" | "remove" | "erase", (admin: Admin) => void>;

/** What can be done with an admin or an invitation. `link`: an invitation that no mail server sends. */
export function useAdminActions() {
  const { t } = useTranslation();
  const user = useUser();
  const logout = useLogout();
  const [link, setLink] = useState<Link | null>(null);
  const [erased, setErased] = useState<{ admin: Admin; opened: boolean } | null>(null);
  const resending = useApiMutation(admins.resend);
  const inviting = useApiMutation(admins.invite);
  const revoking = useApiMutation(admins.revoke, { quiet: true });
  const removing = useApiMutation(admins.remove, { quiet: true });
  const leaving = useApiMutation(admins.remove, { quiet: true, refetch: false });

  const showSent = ({ email, link: text }: SentInvitation) => {
    if (text) setLink({ email, link: text });
    else toast.done(t("admins.invite.sent", { email }));
  };
  const nameOf = ({ name, email }: Admin) => name || email;
  const actions: AdminActions = {
    resend: ({ id }) => void resending.mutateAsync({ params: { id } }).then(showSent, () => {}),
    inviteAgain: ({ email }) => void inviting.mutateAsync({ body: { email } }).then(showSent, () => {}),
    revoke: (admin) =>
      confirm({
        title: t("admins.revoke.title", { name: nameOf(admin) }),
        text: t("admins.revoke.text"),
        confirmLabel: t("admins.revoke.verb"),
        cancelLabel: t("admins.revoke.keep"),
        danger: true,
        onConfirm: async () => {
          await revoking.mutateAsync({ params: { id: admin.id } });
          toast.done(t("admins.revoke.done"));
        },
      }),
    remove: (admin) => {
      const isSelf = admin.id === user?.id;
      const keys = t("admins.remove.keys", { count: admin.apiKeys });
      confirm({
        title: isSelf ? t("admins.remove.titleSelf") : t("admins.remove.title", { name: nameOf(admin) }),
        text: `${t(isSelf ? "admins.remove.textSelf" : "admins.remove.text")} ${keys}`,
        confirmLabel: isSelf ? t("admins.remove.verbSelf") : t("admins.remove.verb"),
        cancelLabel: t("admins.remove.keep"),
        danger: true,
        onConfirm: async () => {
          await (isSelf ? leaving : removing).mutateAsync({ params: { id: admin.id } });
          if (isSelf) return logout();
          toast.done(t("admins.remove.done", { name: nameOf(admin) }));
        },
      });
    },
    erase: (admin) => setErased({ admin, opened: true }),
  };
  const dialogs = erased && (
    <EraseDialog
      opened={erased.opened}
      onClose={() => setErased({ ...erased, opened: false })}
      other={erased.admin}
      onErased={(receipt) => showReceipt(receipt, t("privacy.erase.otherDone", { name: nameOf(erased.admin) }))}
    />
  );
  return { actions, link, closeLink: () => setLink(null), dialogs, showSent };
}

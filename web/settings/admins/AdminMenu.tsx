import { Menu } from "@mantine/core";
import {
  IconHistory,
  IconMailForward,
  IconMailOff,
  IconShieldOff,
  IconTrash,
  IconUserMinus,
  IconUserPlus,
} from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { useResetFactors } from "#web/auth/account/useResetFactors.ts";
import { confirm } from "#web/core/dialog/confirm.ts";
import type { AdminActions } from "#web/settings/admins/useAdminActions.tsx";
import type { Admin } from "#shared/auth/admins.ts";

const icon = { size: 18, stroke: 1.7 };
type Props = { admin: Admin; isSelf: boolean; actions: AdminActions };

export function AdminMenu({ admin, isSelf, actions }: Props) {
  const { t } = useTranslation();
  const resetOf = useResetFactors();
  const { id, status, hasFactor, isLast } = admin;
  return (
    <>
      {status === "invited" && (
        <Menu.Item leftSection={<IconMailForward {...icon} />} onClick={() => actions.resend(admin)}>
          {t("admins.resend")}
        </Menu.Item>
      )}
      {status === "removed" && (
        <Menu.Item leftSection={<IconUserPlus {...icon} />} onClick={() => actions.inviteAgain(admin)}>
          {t("admins.invite.again")}
        </Menu.Item>
      )}
      {hasFactor && !isSelf && (
        <Menu.Item leftSection={<IconShieldOff {...icon} />} onClick={() => confirm(resetOf(admin))}>
          {t("account.resetFactors.verb")}
        </Menu.Item>
      )}
      <Menu.Item component={Link} to={`/admin/audit?person=${id}`} leftSection={<IconHistory {...icon} />}>
        {t("privacy.erase.auditItem")}
      </Menu.Item>
      <Menu.Divider />
      {status === "invited" && (
        <Menu.Item color="red" leftSection={<IconMailOff {...icon} />} onClick={() => actions.revoke(admin)}>
          {t("admins.revoke.verb")}
        </Menu.Item>
      )}
      {status === "active" && (
        <Menu.Item
          color="red"
          disabled={isLast}
          leftSection={<IconUserMinus {...icon} />}
          onClick={() => actions.remove(admin)}
        >
          {isLast ? t("admins.remove.isLast") : t(isSelf ? "admins.remove.verbSelf" : "admins.remove.verb")}
        </Menu.Item>
      )}
      {status === "removed" && (
        <Menu.Item color="red" leftSection={<IconTrash {...icon} />} onClick={() => actions.erase(admin)}>
          {t("privacy.erase.otherItem")}
        </Menu.Item>
      )}
    </>
  );
}

import { Button } from "@mantine/core";
import { IconUserPlus } from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { PersonMark } from "#web/core/brand/PersonMark.tsx";
import { Pill } from "#web/core/display/Pill.tsx";
import { StatusDot } from "#web/core/display/StatusDot.tsx";
import { Time } from "#web/core/display/Time.tsx";
import { SecretDialog } from "#web/core/dialog/SecretDialog.tsx";
import { useUser } from "#web/core/session/session.tsx";
import { DataTable } from "#web/core/table/DataTable.tsx";
import { AdminMenu } from "#web/settings/admins/AdminMenu.tsx";
import classes from "#web/settings/admins/admins.module.css";
import { InviteAdminDialog } from "#web/settings/admins/InviteAdminDialog.tsx";
import { useAdminActions } from "#web/settings/admins/useAdminActions.tsx";
import { type Admin, admins } from "#shared/auth/admins.ts";

const tones = { active: "ok", invited: "info", removed: "idle" } as const;

/** The admins of the academy, and those who are invited. */
export function AdminsTab() {
  const { t } = useTranslation();
  const user = useUser();
  const [isInviting, setInviting] = useState(false);
  const { actions, link, closeLink, dialogs, showSent } = useAdminActions();
  const inviteButton = (
    <Button leftSection={<IconUserPlus size={18} stroke={1.7} />} onClick={() => setInviting(true)}>
      {t("admins.invite.verb")}
    </Button>
  );
  const statusOf = ({ status, invitationExpiresAt }: Admin) => {
    if (status === "invited" && invitationExpiresAt && new Date(invitationExpiresAt).getTime() < Date.now())
      return <StatusDot tone="warn">{t("admins.is.expired")}</StatusDot>;
    return <StatusDot tone={tones[status]}>{t(`admins.is.${status}`)}</StatusDot>;
  };
  const factorOf = ({ status, hasFactor }: Admin) => {
    if (status !== "active") return "–";
    return hasFactor ? t("admins.factor.on") : <Pill tone="warn">{t("admins.factor.off")}</Pill>;
  };
  const lastActive = ({ lastActive: at }: Admin) => (at ? <Time at={at} /> : "–");
  return (
    <>
      <div className={classes.head}>
        <p className={classes.lead}>{t("admins.lead")}</p>
        {inviteButton}
      </div>
      <DataTable
        list={admins.list}
        prefix="admin"
        search={t("admins.search")}
        noun={t("admins.noun")}
        rowKey={(row) => row.id}
        name={(row) => row.name || row.email}
        note={(row) => (row.name ? row.email : null)}
        mark={(row) => <PersonMark name={row.name || row.email} />}
        badge={(row) => row.id === user?.id && <Pill>{t("admins.you")}</Pill>}
        columns={[
          { key: "name", head: t("admins.name") },
          { key: "status", head: t("admins.status"), render: statusOf },
          { key: "factor", head: t("admins.factor.head"), render: factorOf },
          { key: "lastActive", head: t("admins.lastActive"), render: lastActive },
        ]}
        phone={(row) => ({
          line: row.name ? row.email : null,
          side: statusOf(row),
          sideLine: row.status === "active" && factorOf(row),
        })}
        menu={(row) => <AdminMenu admin={row} isSelf={row.id === user?.id} actions={actions} />}
        filters={[
          {
            key: "status",
            label: t("admins.status"),
            options: (["active", "invited", "removed"] as const).map((value) => ({
              value,
              label: t(`admins.is.${value}`),
            })),
          },
        ]}
        empty={{ title: t("admins.none"), action: inviteButton }}
      />
      {isInviting && <InviteAdminDialog onClose={() => setInviting(false)} onSent={showSent} />}
      {link && (
        <SecretDialog
          title={t("admins.link.title", { email: link.email })}
          label={t("admins.link.label")}
          secret={link.link}
          hint={t("admins.link.hint")}
          closeLabel={t("admins.link.done")}
          onClose={closeLink}
        />
      )}
      {dialogs}
    </>
  );
}

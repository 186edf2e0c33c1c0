import { Anchor, Button, Menu } from "@mantine/core";
import { IconBan, IconPlus } from "@tabler/icons-react";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { ApiKeyDialog } from "#web/apiKeys/ApiKeyDialog.tsx";
import classes from "#web/apiKeys/apiKeys.module.css";
import { useApiMutation } from "#web/core/api/api.ts";
import { confirm } from "#web/core/dialog/confirm.ts";
import { SecretDialog } from "#web/core/dialog/SecretDialog.tsx";
import { Pill } from "#web/core/display/Pill.tsx";
import { Time } from "#web/core/display/Time.tsx";
import { formatDate } from "#web/core/format/format.ts";
import { DataTable } from "#web/core/table/DataTable.tsx";
import { toast } from "#web/core/toast/toast.ts";
import { scopeText } from "#web/apiKeys/scopeText.ts";
import { type ApiKey, apiKeys } from "#shared/apiKeys/apiKeys.ts";

const tones = { active: "ok", expired: "warn", revoked: undefined } as const;

/** API keys in the settings. `switcher` switches to the other kinds of integration. */
export function ApiKeysTab({ switcher }: { switcher: ReactNode }) {
  const { t } = useTranslation();
  const [isAdding, setAdding] = useState(false);
  const [created, setCreated] = useState<{ name: string; key: string } | null>(null);
  const revoke = useApiMutation(apiKeys.revoke, { quiet: true });
  const askToRevoke = ({ id, name }: ApiKey) =>
    confirm({
      title: t("apiKeys.revokeTitle", { name }),
      text: t("apiKeys.revokeText"),
      confirmLabel: t("apiKeys.revoke"),
      cancelLabel: t("apiKeys.keep"),
      danger: true,
      onConfirm: async () => {
        await revoke.mutateAsync({ params: { id } });
        toast.done(t("apiKeys.revoked"));
      },
    });
  const addButton = (
    <Button leftSection={<IconPlus size={18} stroke={1.7} />} onClick={() => setAdding(true)}>
      {t("apiKeys.add")}
    </Button>
  );
  const statusOf = ({ status }: ApiKey) => {
    const tone = tones[status];
    return <Pill {...(tone && { tone })}>{t(`apiKeys.is.${status}`)}</Pill>;
  };
  const lastUsed = ({ lastUsedAt }: ApiKey) => (lastUsedAt ? <Time at={lastUsedAt} /> : t("apiKeys.neverUsed"));
  return (
    <>
      <div className={classes.head}>
        {switcher}
        <div className={classes.actions}>
          <Anchor href="/api/docs" target="_blank">
            {t("apiKeys.docs")}
          </Anchor>
          {addButton}
        </div>
      </div>
      <DataTable
        list={apiKeys.list}
        search={t("apiKeys.search")}
        noun={t("apiKeys.noun")}
        rowKey={(row) => row.id}
        name={(row) => row.name}
        note={(row) => <code>{row.prefix}…</code>}
        columns={[
          { key: "name", head: t("apiKeys.name") },
          {
            key: "scopes",
            head: t("apiKeys.scopes"),
            minor: true,
            render: ({ scopes }) => scopes.map((scope) => scopeText(scope, t)).join(", "),
          },
          { key: "company", head: t("apiKeys.company"), render: (row) => row.company ?? t("apiKeys.allCompanies") },
          { key: "status", head: t("apiKeys.status"), render: statusOf },
          {
            key: "expires",
            head: t("apiKeys.expires"),
            minor: true,
            render: ({ expiresAt }) => (expiresAt ? formatDate(expiresAt) : t("apiKeys.never")),
          },
          { key: "lastUsed", head: t("apiKeys.lastUsed"), render: lastUsed },
          { key: "createdBy", head: t("apiKeys.createdBy"), minor: true, render: (row) => row.createdBy },
        ]}
        phone={(row) => ({ line: <code>{row.prefix}…</code>, side: statusOf(row), sideLine: lastUsed(row) })}
        menu={(row) =>
          row.status === "active" && (
            <Menu.Item color="red" leftSection={<IconBan size={18} stroke={1.7} />} onClick={() => askToRevoke(row)}>
              {t("apiKeys.revoke")}
            </Menu.Item>
          )
        }
        empty={{ title: t("apiKeys.none"), text: t("apiKeys.noneText"), action: addButton }}
      />
      {isAdding && (
        <ApiKeyDialog onClose={() => setAdding(false)} onCreated={(name, key) => setCreated({ name, key })} />
      )}
      {created && (
        <SecretDialog
          title={t("apiKeys.keyTitle", { name: created.name })}
          label={t("apiKeys.key")}
          secret={created.key}
          hint={t("apiKeys.keyText")}
          closeLabel={t("apiKeys.done")}
          onClose={() => setCreated(null)}
        />
      )}
    </>
  );
}

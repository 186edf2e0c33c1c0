import { Box, Button, Menu } from "@mantine/core";
import { IconBan, IconPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import classes from "#web/apiKeys/apiKeys.module.css";
import { queryFor, useApiMutation } from "#web/core/api/api.ts";
import { confirm } from "#web/core/dialog/confirm.ts";
import { SecretDialog } from "#web/core/dialog/SecretDialog.tsx";
import { CopyField } from "#web/core/display/CopyField.tsx";
import { Pill } from "#web/core/display/Pill.tsx";
import { Time } from "#web/core/display/Time.tsx";
import { DataTable } from "#web/core/table/DataTable.tsx";
import { toast } from "#web/core/toast/toast.ts";
import { ClientDialog, type NewClient } from "#web/statements/ClientDialog.tsx";
import { clientScopeText } from "#web/statements/clientScopeText.ts";
import { type StatementClient, statements } from "#shared/statements/statements.ts";

/** The address of the record store, and the keys for tools. */
export function RecordStoreTab({ switcher }: { switcher: ReactNode }) {
  const { t } = useTranslation();
  const [isAdding, setAdding] = useState(false);
  const [created, setCreated] = useState<NewClient | null>(null);
  const { data } = useQuery(queryFor(statements.listClients, { query: { size: 1 } }));
  const revoke = useApiMutation(statements.revokeClient, { quiet: true });
  const askToRevoke = ({ id, name }: StatementClient) =>
    confirm({
      title: t("statements.revokeTitle", { name }),
      text: t("statements.revokeText"),
      confirmLabel: t("statements.revoke"),
      cancelLabel: t("statements.keep"),
      danger: true,
      onConfirm: async () => {
        await revoke.mutateAsync({ params: { id } });
        toast.done(t("statements.revoked"));
      },
    });
  const addButton = (
    <Button leftSection={<IconPlus size={18} stroke={1.7} />} onClick={() => setAdding(true)}>
      {t("statements.add")}
    </Button>
  );
  const statusOf = ({ isRevoked }: StatementClient) =>
    isRevoked ? <Pill>{t("statements.isRevoked")}</Pill> : <Pill tone="ok">{t("statements.active")}</Pill>;
  const lastUsed = ({ lastUsedAt }: StatementClient) =>
    lastUsedAt ? <Time at={lastUsedAt} /> : t("statements.neverUsed");
  return (
    <>
      <div className={classes.head}>
        {switcher}
        {addButton}
      </div>
      {data && (
        <Box mb="lg">
          <CopyField label={t("statements.endpoint")} text={data.endpoint} hint={t("statements.endpointHint")} />
        </Box>
      )}
      <DataTable
        list={statements.listClients}
        search={t("statements.search")}
        noun={t("statements.noun")}
        rowKey={(row) => row.id}
        name={(row) => row.name}
        note={(row) => <code>{row.userName}</code>}
        columns={[
          { key: "name", head: t("statements.name") },
          {
            key: "scopes",
            head: t("statements.scopes"),
            minor: true,
            render: ({ scopes }) => scopes.map((scope) => clientScopeText(scope, t)).join(", "),
          },
          { key: "company", head: t("statements.company"), render: (row) => row.company },
          { key: "status", head: t("statements.status"), render: statusOf },
          { key: "lastUsed", head: t("statements.lastUsed"), render: lastUsed },
          { key: "createdBy", head: t("statements.createdBy"), minor: true, render: (row) => row.createdBy ?? "–" },
        ]}
        phone={(row) => ({ line: <code>{row.userName}</code>, side: statusOf(row), sideLine: lastUsed(row) })}
        menu={(row) =>
          !row.isRevoked && (
            <Menu.Item color="red" leftSection={<IconBan size={18} stroke={1.7} />} onClick={() => askToRevoke(row)}>
              {t("statements.revoke")}
            </Menu.Item>
          )
        }
        empty={{ title: t("statements.none"), text: t("statements.noneText"), action: addButton }}
      />
      {isAdding && <ClientDialog onClose={() => setAdding(false)} onCreated={setCreated} />}
      {created && (
        <SecretDialog
          title={t("statements.secretTitle", { name: created.name })}
          label={t("statements.secret")}
          secret={created.secret}
          hint={t("statements.secretText", { userName: created.userName })}
          closeLabel={t("statements.done")}
          onClose={() => setCreated(null)}
        />
      )}
    </>
  );
}

import { Button, Menu } from "@mantine/core";
import {
  IconKey,
  IconListDetails,
  IconPencil,
  IconPlayerPlay,
  IconPlugConnected,
  IconPlus,
  IconPower,
  IconTrash,
} from "@tabler/icons-react";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { Num } from "#web/core/display/Num.tsx";
import { Pill } from "#web/core/display/Pill.tsx";
import { Time } from "#web/core/display/Time.tsx";
import { SecretDialog } from "#web/core/dialog/SecretDialog.tsx";
import { DataTable } from "#web/core/table/DataTable.tsx";
import { DeliveryPanel } from "#web/flows/DeliveryPanel.tsx";
import classes from "#web/flows/flows.module.css";
import { useWebhookActions } from "#web/flows/useWebhookActions.ts";
import { WebhookDialog } from "#web/flows/WebhookDialog.tsx";
import { type Webhook, webhooks } from "#shared/webhooks/webhooks.ts";

const icon = { size: 18, stroke: 1.7 };
type Shown = { name: string; secret: string };

/**
 * Webhooks in the settings: receivers of values with their status and deliveries. `switcher` switches to the other
 * kinds of integration.
 */
export function WebhooksTab({ switcher }: { switcher: ReactNode }) {
  const { t } = useTranslation();
  const [edited, setEdited] = useState<Webhook | "new" | null>(null);
  const [opened, setOpened] = useState<Webhook | null>(null);
  const [shown, setShown] = useState<Shown | null>(null);
  const showSecret = (name: string, secret: string) => setShown({ name, secret });
  const actions = useWebhookActions(showSecret);
  const addButton = (
    <Button leftSection={<IconPlus {...icon} />} onClick={() => setEdited("new")}>
      {t("flows.hooks.add")}
    </Button>
  );
  const stateOf = ({ status, failingSince }: Webhook) => {
    if (status === "off") return <Pill>{t("flows.hooks.is.off")}</Pill>;
    return failingSince ? (
      <Pill tone="bad">{t("flows.hooks.failing")}</Pill>
    ) : (
      <Pill tone="ok">{t("flows.hooks.is.active")}</Pill>
    );
  };
  return (
    <>
      <div className={classes.head}>
        {switcher}
        {addButton}
      </div>
      <DataTable
        list={webhooks.list}
        search={t("flows.hooks.search")}
        noun={t("flows.hooks.noun")}
        rowKey={(row) => row.id}
        name={(row) => row.name}
        onOpen={setOpened}
        note={(row) => row.url}
        columns={[
          { key: "name", head: t("flows.hooks.name") },
          {
            key: "company",
            head: t("flows.hooks.company"),
            minor: true,
            render: (row) => row.company ?? t("flows.hooks.allCompanies"),
          },
          { key: "state", head: t("flows.hooks.state"), render: stateOf },
          {
            key: "pending",
            head: t("flows.hooks.pending"),
            align: "right",
            render: (row) => <Num value={row.pending} />,
          },
          {
            key: "delivered",
            head: t("flows.hooks.delivered"),
            align: "right",
            render: (row) => <Num value={row.delivered} />,
          },
          {
            key: "last",
            head: t("flows.hooks.lastAnswer"),
            minor: true,
            render: (row) => (
              <>
                <Time at={row.lastAt} />
                {row.failingSince && <p className={classes.answer}>{row.lastAnswer || row.lastStatus}</p>}
              </>
            ),
          },
        ]}
        phone={(row) => ({ line: row.url, side: stateOf(row), sideLine: <Time at={row.lastAt} /> })}
        menu={(row) => (
          <>
            <Menu.Item leftSection={<IconListDetails {...icon} />} onClick={() => setOpened(row)}>
              {t("flows.hooks.deliveries")}
            </Menu.Item>
            <Menu.Item leftSection={<IconPlugConnected {...icon} />} onClick={() => actions.test(row)}>
              {t("flows.hooks.test")}
            </Menu.Item>
            {row.pending > 0 && row.status === "active" && (
              <Menu.Item leftSection={<IconPlayerPlay {...icon} />} onClick={() => actions.retry(row)}>
                {t("flows.hooks.retry")}
              </Menu.Item>
            )}
            <Menu.Divider />
            <Menu.Item leftSection={<IconPencil {...icon} />} onClick={() => setEdited(row)}>
              {t("flows.hooks.edit", { name: row.name })}
            </Menu.Item>
            <Menu.Item leftSection={<IconKey {...icon} />} onClick={() => actions.rotate(row)}>
              {t("flows.hooks.rotate")}
            </Menu.Item>
            <Menu.Item leftSection={<IconPower {...icon} />} onClick={() => actions.toggle(row)}>
              {t(row.status === "active" ? "flows.hooks.switchOff" : "flows.hooks.switchOn")}
            </Menu.Item>
            <Menu.Item color="red" leftSection={<IconTrash {...icon} />} onClick={() => actions.remove(row)}>
              {t("flows.hooks.remove")}
            </Menu.Item>
          </>
        )}
        empty={{ title: t("flows.hooks.none"), text: t("flows.hooks.noneText"), action: addButton }}
      />
      {edited && (
        <WebhookDialog
          {...(edited !== "new" && { webhook: edited })}
          onClose={() => setEdited(null)}
          onSecret={showSecret}
        />
      )}
      {opened && <DeliveryPanel key={opened.id} webhook={opened} onClose={() => setOpened(null)} />}
      {shown && (
        <SecretDialog
          title={t("flows.hooks.secretTitle", { name: shown.name })}
          label={t("flows.hooks.secret")}
          secret={shown.secret}
          hint={t("flows.hooks.secretText")}
          closeLabel={t("flows.hooks.secretDone")}
          onClose={() => setShown(null)}
        />
      )}
    </>
  );
}

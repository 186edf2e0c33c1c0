import { ActionIcon, Button, Menu } from "@mantine/core";
import { IconBan, IconDots, IconPlus } from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useApiMutation } from "#web/core/api/api.ts";
import { confirm } from "#web/core/dialog/confirm.ts";
import { SecretDialog } from "#web/core/dialog/SecretDialog.tsx";
import { Pill } from "#web/core/display/Pill.tsx";
import { formatAgoInText, formatDate } from "#web/core/format/format.ts";
import { Row, RowList } from "#web/core/layout/RowList.tsx";
import { Section } from "#web/core/layout/Section.tsx";
import { toast } from "#web/core/toast/toast.ts";
import { DirectoryKeyDialog } from "#web/provisioning/DirectoryKeyDialog.tsx";
import classes from "#web/provisioning/provisioning.module.css";
import { provisioning, type ProvisioningKey } from "#shared/provisioning/provisioning.ts";

const icon = { size: 18, stroke: 1.7 };

/** The keys with which directories may change the people of a company. */
export function DirectoryKeys({ companyId, keys }: { companyId: string; keys: ProvisioningKey[] }) {
  const { t } = useTranslation();
  const [isAdding, setAdding] = useState(false);
  const [created, setCreated] = useState<{ name: string; key: string } | null>(null);
  const revoke = useApiMutation(provisioning.revokeKey, { quiet: true });
  const askToRevoke = ({ id, name }: ProvisioningKey) =>
    confirm({
      title: t("provisioning.revokeTitle", { name }),
      text: t("provisioning.revokeText"),
      confirmLabel: t("provisioning.revoke"),
      cancelLabel: t("provisioning.keepKey"),
      danger: true,
      onConfirm: async () => {
        await revoke.mutateAsync({ params: { id } });
        toast.done(t("provisioning.revoked", { name }));
      },
    });
  const lineOf = ({ lastUsedAt, expiresAt, status }: ProvisioningKey) =>
    [
      lastUsedAt ? t("provisioning.lastUsed", { at: formatAgoInText(lastUsedAt) }) : t("provisioning.neverUsed"),
      expiresAt && status === "active" && t("provisioning.expiresOn", { day: formatDate(expiresAt) }),
    ]
      .filter(Boolean)
      .join(" · ");
  const addButton = (
    <Button variant="default" leftSection={<IconPlus {...icon} />} onClick={() => setAdding(true)}>
      {t("provisioning.addKey")}
    </Button>
  );
  return (
    <Section title={t("provisioning.keys")} side={addButton}>
      {keys.length === 0 && <p className={classes.lead}>{t("provisioning.noKeys")}</p>}
      <RowList>
        {keys.map((key) => (
          <Row
            key={key.id}
            name={key.name}
            pill={
              <Pill {...(key.status === "active" && { tone: "ok" as const })}>
                {t(`provisioning.keyStatus.${key.status}`)}
              </Pill>
            }
            line={
              <>
                <code>{key.prefix}…</code> · {lineOf(key)}
              </>
            }
          >
            {key.status !== "revoked" && (
              <Menu position="bottom-end" width={200}>
                <Menu.Target>
                  <ActionIcon variant="subtle" aria-label={t("provisioning.actionsOf", { name: key.name })}>
                    <IconDots {...icon} />
                  </ActionIcon>
                </Menu.Target>
                <Menu.Dropdown>
                  <Menu.Item color="red" leftSection={<IconBan {...icon} />} onClick={() => askToRevoke(key)}>
                    {t("provisioning.revoke")}
                  </Menu.Item>
                </Menu.Dropdown>
              </Menu>
            )}
          </Row>
        ))}
      </RowList>
      {isAdding && <DirectoryKeyDialog companyId={companyId} onClose={() => setAdding(false)} onCreated={setCreated} />}
      {created && (
        <SecretDialog
          title={t("provisioning.keyTitle", { name: created.name })}
          label={t("provisioning.keyLabel")}
          secret={created.key}
          hint={t("provisioning.keyText")}
          closeLabel={t("provisioning.keyDone")}
          onClose={() => setCreated(null)}
        />
      )}
    </Section>
  );
}

import { Button, Group, Stack, Text } from "@mantine/core";
import { useClipboard } from "@mantine/hooks";
import { IconCheck, IconCopy, IconDownload } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { Dialog } from "#web/core/dialog/Dialog.tsx";
import { DialogFooter } from "#web/core/dialog/DialogFooter.tsx";
import classes from "#web/auth/account/Account.module.css";

/** Shows new recovery codes once. Closes only with its button, to prevent accidental loss. */
export function RecoveryCodesDialog({ codes, onClose }: { codes: string[] | null; onClose: () => void }) {
  const { t } = useTranslation();
  const { copied, copy } = useClipboard({ timeout: 1500 });
  const text = codes?.join("\n") ?? "";
  return (
    <Dialog
      opened={codes !== null}
      onClose={onClose}
      title={t("account.codes.title")}
      size={480}
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
    >
      <Stack gap="md">
        <Text size="sm" c="dimmed">
          {t("account.codes.text")}
        </Text>
        <ul className={classes.codes}>
          {codes?.map((code) => (
            <li key={code}>
              <code>{code}</code>
            </li>
          ))}
        </ul>
        <Group gap="xs">
          <Button
            variant="default"
            leftSection={copied ? <IconCheck size={18} stroke={1.7} /> : <IconCopy size={18} stroke={1.7} />}
            onClick={() => copy(text)}
          >
            {t(copied ? "account.codes.copied" : "account.codes.copy")}
          </Button>
          <Button
            variant="default"
            component="a"
            href={`data:text/plain;charset=utf-8,${encodeURIComponent(text)}`}
            download="lyceum-recovery-codes.txt"
            leftSection={<IconDownload size={18} stroke={1.7} />}
          >
            {t("account.codes.download")}
          </Button>
        </Group>
        <DialogFooter>
          <Button data-autofocus onClick={onClose}>
            {t("account.codes.saved")}
          </Button>
        </DialogFooter>
      </Stack>
    </Dialog>
  );
}

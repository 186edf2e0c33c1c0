import { Button, Checkbox, Group, Portal, Stack, Text } from "@mantine/core";
import { IconPrinter } from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { PinSheet } from "#web/auth/pins/PinSheet.tsx";
import classes from "#web/auth/pins/pins.module.css";
import { Dialog } from "#web/core/dialog/Dialog.tsx";
import { DialogFooter } from "#web/core/dialog/DialogFooter.tsx";
import { messageOf } from "#web/core/http/messages.ts";
import type { IssuedPin } from "#shared/auth/pins.ts";

type Props = {
  opened: boolean;
  onClose: () => void;
  name: string;
  issue: (order: { newCard: boolean }) => Promise<IssuedPin>;
};

/** Gives a person a new PIN, which is shown once, and prints it with the card. */
export function IssuePinDialog({ opened, onClose, name, issue }: Props) {
  const { t } = useTranslation();
  const [newCard, setNewCard] = useState(false);
  const [issued, setIssued] = useState<IssuedPin | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const close = () => {
    onClose();
    setIssued(null);
    setNewCard(false);
    setFailure(null);
  };
  const run = async () => {
    setBusy(true);
    setFailure(null);
    await issue({ newCard }).then(setIssued, setFailure);
    setBusy(false);
  };
  return (
    <>
      <Dialog
        opened={opened}
        onClose={close}
        title={t("auth.card.title", { name })}
        size={520}
        closeOnClickOutside={false}
      >
        {issued ? (
          <Stack gap="md">
            <Text size="sm">{t("auth.card.once")}</Text>
            <div className={classes.preview}>
              <PinSheet issued={issued} />
            </div>
          </Stack>
        ) : (
          <Stack gap="md">
            <Text size="sm">{t("auth.card.text")}</Text>
            <Checkbox
              label={t("auth.card.newCard")}
              description={t("auth.card.newCardHint")}
              checked={newCard}
              onChange={(change) => setNewCard(change.currentTarget.checked)}
            />
            {failure !== null && (
              <Text c="var(--ly-bad)" size="sm" role="alert">
                {messageOf(failure)}
              </Text>
            )}
          </Stack>
        )}
        <DialogFooter>
          <Group gap="xs" ml="auto">
            <Button variant="default" onClick={close}>
              {t(issued ? "core.close" : "core.cancel")}
            </Button>
            {issued ? (
              <Button
                data-autofocus
                leftSection={<IconPrinter size={18} stroke={1.7} />}
                onClick={() => window.print()}
              >
                {t("auth.card.print")}
              </Button>
            ) : (
              <Button data-autofocus loading={busy} onClick={() => void run()}>
                {t("auth.card.verb")}
              </Button>
            )}
          </Group>
        </DialogFooter>
      </Dialog>
      {opened && issued && (
        <Portal reuseTargetNode={false} className={classes.print ?? ""}>
          <div aria-hidden>
            <PinSheet issued={issued} />
          </div>
        </Portal>
      )}
    </>
  );
}

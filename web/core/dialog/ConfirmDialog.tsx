import { Button, Group, Modal, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { Trans, useTranslation } from "react-i18next";
import { type Confirmation, confirmation } from "#web/core/dialog/confirm.ts";
import { messageOf } from "#web/core/api/messages.ts";
import { useDelayedOpen } from "#web/core/dialog/useDelayedOpen.ts";

/** Shows what `confirm` asks. */
export function ConfirmDialog() {
  const { asked, opened } = confirmation.use();
  const shown = useDelayedOpen(opened);
  const close = () => confirmation.set({ asked, opened: false });
  return (
    <Modal opened={shown} onClose={close} title={asked?.title} size={460} withCloseButton={false}>
      {asked && <Question key={String(opened)} {...asked} onClose={close} />}
    </Modal>
  );
}

function Question({
  text,
  confirm: verb,
  keep,
  danger,
  code,
  first,
  onConfirm,
  onClose,
}: Confirmation & { onClose: () => void }) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState("");
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();
  const ready = !code || typed.trim().toUpperCase() === code.toUpperCase();

  const run = async () => {
    setBusy(true);
    setFailure(undefined);
    try {
      await onConfirm();
      onClose();
    } catch (error) {
      setFailure(messageOf(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (ready) void run();
      }}
    >
      {text && <Text component="div">{text}</Text>}
      {code && (
        <TextInput
          mt="md"
          data-autofocus
          autoComplete="off"
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          label={
            <Trans t={t} i18nKey="web.confirm.type" values={{ code }} components={{ code: <code style={mono} /> }} />
          }
          styles={{ input: mono }}
        />
      )}
      {failure && (
        <Text c="var(--ly-bad)" size="sm" mt="sm" role="alert">
          {failure}
        </Text>
      )}
      <Group mt="lg" gap="xs" justify="flex-end">
        {first && <div style={{ marginRight: "auto" }}>{first}</div>}
        <Button variant="default" onClick={onClose} {...(!code && { "data-autofocus": true })}>
          {keep}
        </Button>
        <Button type="submit" color={danger ? "red" : undefined} loading={busy} disabled={!ready}>
          {verb}
        </Button>
      </Group>
    </form>
  );
}

const mono = { fontFamily: "var(--mantine-font-family-monospace)" };

import { Button, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { Trans, useTranslation } from "react-i18next";
import { Dialog } from "#web/core/dialog/Dialog.tsx";
import { DialogFooter } from "#web/core/dialog/DialogFooter.tsx";
import { type Confirmation, confirmation } from "#web/core/dialog/confirm.ts";
import { messageOf } from "#web/core/http/messages.ts";

/** The dialog that `confirm` opens. */
export function ConfirmDialog() {
  const { current, opened } = confirmation.use();
  const close = () => confirmation.set({ current, opened: false });
  return (
    <Dialog opened={opened} onClose={close} title={current?.title} size={460} withCloseButton={false}>
      {current && <Question key={String(opened)} {...current} onClose={close} />}
    </Dialog>
  );
}

function Question({
  text,
  confirmLabel: verb,
  cancelLabel,
  danger,
  typedCode,
  leftAction,
  onConfirm,
  onClose,
}: Confirmation & { onClose: () => void }) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState("");
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();
  const ready = !typedCode || typed.trim().toUpperCase() === typedCode.toUpperCase();

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
      {typedCode && (
        <TextInput
          mt="md"
          data-autofocus
          autoComplete="off"
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          label={
            <Trans
              t={t}
              i18nKey="web.confirm.type"
              values={{ code: typedCode }}
              components={{ code: <code style={mono} /> }}
            />
          }
          styles={{ input: mono }}
        />
      )}
      {failure && (
        <Text c="var(--ly-bad)" size="sm" mt="sm" role="alert">
          {failure}
        </Text>
      )}
      <DialogFooter>
        {leftAction && <div style={{ marginRight: "auto" }}>{leftAction}</div>}
        <Button variant="default" onClick={onClose} {...(!typedCode && { "data-autofocus": true })}>
          {cancelLabel}
        </Button>
        <Button type="submit" color={danger ? "red" : undefined} loading={busy} disabled={!ready}>
          {verb}
        </Button>
      </DialogFooter>
    </form>
  );
}

const mono = { fontFamily: "var(--mantine-font-family-monospace)" };

import { Button } from "@mantine/core";
import { Dialog } from "#web/core/dialog/Dialog.tsx";
import { DialogFooter } from "#web/core/dialog/DialogFooter.tsx";
import { CopyField } from "#web/core/display/CopyField.tsx";

type Props = {
  title: string;
  label: string;
  /** The secret, which exists only in this dialog. */
  secret: string;
  hint: string;
  closeLabel: string;
  onClose: () => void;
};

/** Shows a secret once. A click outside does not close it. */
export function SecretDialog({ title, label, secret, hint, closeLabel, onClose }: Props) {
  return (
    <Dialog opened onClose={onClose} closeOnClickOutside={false} title={title}>
      <CopyField label={label} text={secret} hint={hint} />
      <DialogFooter>
        <Button onClick={onClose}>{closeLabel}</Button>
      </DialogFooter>
    </Dialog>
  );
}

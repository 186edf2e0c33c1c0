import { Button, Modal } from "@mantine/core";
import { useTranslation } from "react-i18next";
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
  const { t } = useTranslation();
  return (
    <Modal
      opened
      onClose={onClose}
      closeOnClickOutside={false}
      title={title}
      closeButtonProps={{ "aria-label": t("core.close") }}
    >
      <CopyField label={label} text={secret} hint={hint} />
      <DialogFooter>
        <Button onClick={onClose}>{closeLabel}</Button>
      </DialogFooter>
    </Modal>
  );
}

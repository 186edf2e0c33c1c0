import { Button, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { Dialog } from "#web/core/dialog/Dialog.tsx";
import { DialogFooter } from "#web/core/dialog/DialogFooter.tsx";
import { noteInput } from "#web/core/session/sharedDevice.ts";
import { SHARED_WARNING_SECONDS } from "#shared/auth/pins.ts";

/** Says that the session is about to be locked. Any input keeps it. */
export function IdleWarning({ left }: { left: number }) {
  const { t } = useTranslation();
  return (
    <Dialog opened onClose={noteInput} title={t("auth.device.warningTitle")} size={420} zIndex={320}>
      {/* Announced once, not every second. */}
      <p role="alert" style={{ position: "absolute", clipPath: "inset(50%)" }}>
        {t("auth.device.warning", { count: SHARED_WARNING_SECONDS })}
      </p>
      <Text aria-hidden>{t("auth.device.warning", { count: left })}</Text>
      <DialogFooter>
        <Button data-autofocus onClick={noteInput}>
          {t("auth.device.stay")}
        </Button>
      </DialogFooter>
    </Dialog>
  );
}

import { Modal, type ModalProps } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { useFocusReturn } from "#web/core/dialog/useFocusReturn.ts";

/** A modal dialog with a named close button, which returns the focus to its opener. */
export function Dialog(props: ModalProps) {
  const { t } = useTranslation();
  useFocusReturn(props.opened);
  return <Modal closeButtonProps={{ "aria-label": t("core.close") }} {...props} />;
}

import { Textarea } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { FormDialog } from "#web/core/dialog/FormDialog.tsx";
import { useFormErrors } from "#web/core/dialog/useFormErrors.ts";
import { OptionalLabel } from "#web/core/display/OptionalLabel.tsx";
import { toast } from "#web/core/toast/toast.ts";
import type { Decision } from "#shared/catalogue/catalogue.ts";

type Props = {
  name: string;
  approve: boolean;
  onDecide: (decision: Decision) => Promise<unknown>;
  onClose: () => void;
};

/** Approves or declines a request, with a reason that the person reads. */
export function DecisionDialog({ name, approve, onDecide, onClose }: Props) {
  const { t } = useTranslation();
  const [reason, setReason] = useState("");
  const [isBusy, setBusy] = useState(false);
  const [errors, setErrors] = useState<Record<string, string>>({});
  const { failure, attempt } = useFormErrors(setErrors);
  const submit = async () => {
    if (!approve && reason.trim() === "") return setErrors({ reason: t("catalogue.errors.noReason") });
    setBusy(true);
    await attempt(async () => {
      await onDecide({ approve, reason });
      toast.done(t(approve ? "catalogue.requests.approved" : "catalogue.requests.declined"));
      onClose();
    });
    setBusy(false);
  };
  const label = t("catalogue.requests.reason");
  return (
    <FormDialog
      opened
      onClose={onClose}
      title={t(approve ? "catalogue.requests.approveTitle" : "catalogue.requests.declineTitle", { name })}
      submitLabel={t(approve ? "catalogue.requests.approve" : "catalogue.requests.decline")}
      busy={isBusy}
      failure={failure}
      onSubmit={submit}
    >
      <Textarea
        label={approve ? <OptionalLabel>{label}</OptionalLabel> : label}
        description={t("catalogue.requests.reasonHint", { name })}
        value={reason}
        maxLength={500}
        error={errors["reason"]}
        autosize
        minRows={2}
        onChange={(event) => {
          setReason(event.currentTarget.value);
          setErrors({});
        }}
      />
    </FormDialog>
  );
}

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
  kind: "approve" | "decline" | "takeOff";
  onDecide: (decision: Decision) => Promise<unknown>;
  onClose: () => void;
};

/** Approves or declines a request, or takes a person off a waiting list, with a reason that they read. */
export function DecisionDialog({ name, kind, onDecide, onClose }: Props) {
  const { t } = useTranslation();
  const approve = kind === "approve";
  const [reason, setReason] = useState("");
  const [isBusy, setBusy] = useState(false);
  const [errors, setErrors] = useState<Record<string, string>>({});
  const { failure, attempt } = useFormErrors(setErrors);
  const submit = async () => {
    if (!approve && reason.trim() === "") return setErrors({ reason: t("catalogue.errors.noReason") });
    setBusy(true);
    await attempt(async () => {
      await onDecide({ approve, reason });
      toast.done(t(`catalogue.requests.done.${kind}`));
      onClose();
    });
    setBusy(false);
  };
  const label = t("catalogue.requests.reason");
  return (
    <FormDialog
      opened
      onClose={onClose}
      title={t(`catalogue.requests.titles.${kind}`, { name })}
      submitLabel={t(`catalogue.requests.${kind}`)}
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

import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useApiMutation } from "#web/core/api/api.ts";
import { FormDialog } from "#web/core/dialog/FormDialog.tsx";
import { OptionalLabel } from "#web/core/display/OptionalLabel.tsx";
import { toast } from "#web/core/toast/toast.ts";
import { DayInput } from "#web/learners/DayInput.tsx";
import { type ManagerRow, managers } from "#shared/managers/managers.ts";

/** Lets one manager see their people in a company whose managers otherwise see nobody. */
export function RightDialog({ manager, onClose }: { manager: ManagerRow; onClose: () => void }) {
  const { t } = useTranslation();
  const [endsOn, setEndsOn] = useState<string | null>(manager.right?.endsOn ?? null);
  const give = useApiMutation(managers.give, { quiet: true });
  const submit = async () => {
    const isDone = await give.mutateAsync({ params: { id: manager.id }, body: { endsOn } }).then(
      () => true,
      () => false,
    );
    if (!isDone) return;
    toast.done(t("managers.right.done"));
    onClose();
  };
  return (
    <FormDialog
      opened
      onClose={onClose}
      title={t("managers.right.title", { name: manager.name || manager.email })}
      submitLabel={t("managers.right.verb")}
      busy={give.isPending}
      failure={give.error}
      onSubmit={submit}
    >
      <DayInput
        label={<OptionalLabel>{t("managers.right.until")}</OptionalLabel>}
        description={t("managers.right.hint")}
        placeholder={t("managers.right.noEnd")}
        value={endsOn}
        onChange={setEndsOn}
      />
    </FormDialog>
  );
}

import { NumberInput, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useTranslation } from "react-i18next";
import { useApiMutation } from "#web/core/api/api.ts";
import { FormDialog } from "#web/core/dialog/FormDialog.tsx";
import { useFormErrors } from "#web/core/dialog/useFormErrors.ts";
import { OptionalLabel } from "#web/core/display/OptionalLabel.tsx";
import { provisioning } from "#shared/provisioning/provisioning.ts";

type Props = { companyId: string; onClose: () => void; onCreated: (made: { name: string; key: string }) => void };

/** Creates a key for the directory of a company. */
export function DirectoryKeyDialog({ companyId, onClose, onCreated }: Props) {
  const { t } = useTranslation();
  const create = useApiMutation(provisioning.createKey, { quiet: true });
  const form = useForm({ initialValues: { name: "", expiresInDays: "" as number | "" } });
  const { failure, attempt } = useFormErrors(form.setErrors);
  const save = () =>
    attempt(async () => {
      const { name, expiresInDays } = form.values;
      const body = { name, expiresInDays: expiresInDays === "" ? null : expiresInDays };
      onCreated(await create.mutateAsync({ params: { id: companyId }, body }));
      onClose();
    });
  return (
    <FormDialog
      opened
      onClose={onClose}
      title={t("provisioning.addKey")}
      submitLabel={t("provisioning.addKey")}
      busy={create.isPending}
      failure={failure}
      onSubmit={save}
    >
      <TextInput
        label={t("provisioning.keyName")}
        description={t("provisioning.keyNameHint")}
        maxLength={120}
        data-autofocus
        {...form.getInputProps("name")}
      />
      <NumberInput
        label={<OptionalLabel>{t("provisioning.keyExpires")}</OptionalLabel>}
        description={t("provisioning.keyExpiresHint")}
        allowDecimal={false}
        allowNegative={false}
        max={1095}
        {...form.getInputProps("expiresInDays")}
      />
    </FormDialog>
  );
}

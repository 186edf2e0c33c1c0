import { Grid, NumberInput, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import { ColorField } from "#web/companies/ColorField.tsx";
import { companyValidation } from "#web/companies/companyValidation.ts";
import { OptionalLabel } from "#web/core/display/OptionalLabel.tsx";
import { TimeZoneSelect } from "#web/companies/TimeZoneSelect.tsx";
import { useApiMutation } from "#web/core/api/api.ts";
import { toast } from "#web/core/toast/toast.ts";
import { FormDialog } from "#web/core/dialog/FormDialog.tsx";
import { useFormErrors } from "#web/core/dialog/useFormErrors.ts";
import { academy } from "#web/core/academy/academy.ts";
import { browserZone } from "#web/core/format/zone.ts";
import { companies } from "#shared/companies/companies.ts";

/** Creates a company with its essential settings; all others are on its page. */
export function AddCompanyDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const create = useApiMutation(companies.create, { quiet: true });
  const form = useForm({
    initialValues: {
      name: "",
      timezone: academy.get()?.timeZone ?? browserZone(),
      contactName: "",
      contactEmail: "",
      learnerLimit: "" as number | string,
      color: "",
    },
    validate: companyValidation,
  });
  const { failure, attempt } = useFormErrors(form.setErrors);
  const submit = () =>
    attempt(async () => {
      if (form.validate().hasErrors) return;
      const { name, timezone, contactName, contactEmail, learnerLimit, color } = form.values;
      const created = await create.mutateAsync({
        body: {
          name: name.trim(),
          timezone,
          contactName: contactName.trim(),
          contactEmail: contactEmail.trim(),
          learnerLimit: learnerLimit === "" ? null : Number(learnerLimit),
          color: color || null,
        },
      });
      toast.done(t("companies.added", { name: created.name }), { text: t("companies.addedText") });
      onClose();
      form.reset();
      await navigate(`/companies/${created.id}`);
    });
  return (
    <FormDialog
      opened={opened}
      onClose={onClose}
      title={t("companies.add")}
      submitLabel={t("companies.add")}
      busy={create.isPending}
      failure={failure}
      onSubmit={submit}
      size={600}
    >
      <TextInput
        data-autofocus
        label={t("companies.name")}
        maxLength={120}
        autoComplete="off"
        {...form.getInputProps("name")}
      />
      <TimeZoneSelect {...form.getInputProps("timezone")} />
      <Grid gap="md">
        <Grid.Col span={{ base: 12, xs: 6 }}>
          <TextInput
            label={<OptionalLabel>{t("companies.contactName")}</OptionalLabel>}
            maxLength={120}
            autoComplete="off"
            {...form.getInputProps("contactName")}
          />
        </Grid.Col>
        <Grid.Col span={{ base: 12, xs: 6 }}>
          <TextInput
            type="email"
            label={<OptionalLabel>{t("companies.contactEmail")}</OptionalLabel>}
            autoComplete="off"
            {...form.getInputProps("contactEmail")}
          />
        </Grid.Col>
      </Grid>
      <NumberInput
        label={<OptionalLabel>{t("companies.limit")}</OptionalLabel>}
        description={t("companies.limitHint")}
        allowDecimal={false}
        allowNegative={false}
        max={1_000_000}
        thousandSeparator=","
        styles={{ wrapper: { maxWidth: 280 } }}
        {...form.getInputProps("learnerLimit")}
      />
      <ColorField
        label={<OptionalLabel>{t("companies.color.label")}</OptionalLabel>}
        value={form.values.color}
        onChange={(color) => form.setFieldValue("color", color)}
        error={form.errors.color}
      />
    </FormDialog>
  );
}

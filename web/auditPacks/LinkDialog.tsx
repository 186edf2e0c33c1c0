import { Checkbox, Select, TextInput } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useApiMutation } from "#web/core/api/api.ts";
import { FormDialog } from "#web/core/dialog/FormDialog.tsx";
import { useFormErrors } from "#web/core/dialog/useFormErrors.ts";
import { toast } from "#web/core/toast/toast.ts";
import { auditPacks, LINK_DAYS, type LinkDays } from "#shared/auditPacks/auditPacks.ts";

/** Gives an auditor access to a pack. */
export function LinkDialog({ packId, onClose }: { packId: string; onClose: () => void }) {
  const { t } = useTranslation();
  const [label, setLabel] = useState("");
  const [days, setDays] = useState<LinkDays>(14);
  const [mayDownload, setMayDownload] = useState(false);
  const [errors, setErrors] = useState<Record<string, string>>({});
  const { failure, attempt } = useFormErrors(setErrors, { fields: ["label"] });
  const create = useApiMutation(auditPacks.link, { quiet: true });
  const submit = () =>
    attempt(async () => {
      await create.mutateAsync({ params: { id: packId }, body: { label, days, mayDownload } });
      toast.done(t("auditPacks.links.created"));
      onClose();
    });
  return (
    <FormDialog
      opened
      onClose={onClose}
      title={t("auditPacks.links.new")}
      submitLabel={t("auditPacks.links.create")}
      busy={create.isPending}
      failure={failure}
      onSubmit={submit}
    >
      <TextInput
        label={t("auditPacks.links.label")}
        description={t("auditPacks.links.labelText")}
        value={label}
        maxLength={120}
        error={errors["label"]}
        data-autofocus
        onChange={({ currentTarget }) => {
          setLabel(currentTarget.value);
          setErrors({});
        }}
      />
      <Select
        label={t("auditPacks.links.days")}
        data={LINK_DAYS.map((one) => ({ value: String(one), label: t("auditPacks.links.dayCount", { count: one }) }))}
        value={String(days)}
        allowDeselect={false}
        onChange={(value) => setDays(Number(value) as LinkDays)}
      />
      <Checkbox
        label={t("auditPacks.links.mayDownload")}
        description={t("auditPacks.links.mayDownloadText")}
        checked={mayDownload}
        onChange={({ currentTarget }) => setMayDownload(currentTarget.checked)}
      />
    </FormDialog>
  );
}

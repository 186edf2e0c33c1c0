import { Button, Collapse, Select, Stack, Text, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconChevronDown } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { ConnectorSettings } from "#web/connectors/ConnectorSettings.tsx";
import { LocalModelField } from "#web/connectors/LocalModelField.tsx";
import { ModelFields } from "#web/connectors/ModelFields.tsx";
import { type PresetName, presetNames, presetOf, presets } from "#web/connectors/presets.ts";
import { newModel, toInput, useConnectorForm } from "#web/connectors/useConnectorForm.ts";
import { queryFor, useApiMutation } from "#web/core/api/api.ts";
import { FormDialog } from "#web/core/dialog/FormDialog.tsx";
import { useConflict } from "#web/core/dialog/useConflict.tsx";
import { useFormErrors } from "#web/core/dialog/useFormErrors.ts";
import { toast } from "#web/core/toast/toast.ts";
import { type Connector, connectors, isLanguageModel } from "#shared/connectors/connectors.ts";

type Props = { onClose: () => void; connector?: Connector };
const SETTINGS = ["monthlyBudget", "cheaperModel", "fallbacks", "companyIds", "maxConcurrent"];

/** Adds or changes a connector, and tests it after saving. */
export function ConnectorDialog({ onClose, connector }: Props) {
  const { t } = useTranslation();
  const { data: list } = useQuery(queryFor(connectors.list));
  const isFirst = list !== undefined && !list.items.some(({ kind }) => isLanguageModel(kind));
  const form = useConnectorForm(connector, isFirst);
  const { failure, setFailure, showError } = useFormErrors(form.setErrors);
  const [showsMore, more] = useDisclosure();
  const create = useApiMutation(connectors.create, { quiet: true });
  const update = useApiMutation(connectors.update, { quiet: true });
  const test = useApiMutation(connectors.test);
  const isMoved = connector !== undefined && form.values.baseUrl.trim() !== connector.baseUrl;

  const isLocal = form.values.preset === "local";

  const choosePreset = (preset: PresetName) => {
    // Models of a provider are not those of this server.
    if ((preset === "local") !== isLocal) form.setFieldValue("models", preset === "local" ? [] : [newModel()]);
    const known = t(`connectors.presets.${form.values.preset}`);
    const isSuggested = form.values.name === known || form.values.name === "";
    form.setFieldValue("preset", preset);
    if (!connector) form.setFieldValue("baseUrl", presets[preset].baseUrl);
    if (isSuggested && !connector)
      form.setFieldValue("name", preset === "other" ? "" : t(`connectors.presets.${preset}`));
  };
  const save = async (version: number) => {
    const input = toInput(form.values, connector);
    try {
      const saved = connector
        ? await update.mutateAsync({ params: { id: connector.id }, body: { ...input, version } })
        : await create.mutateAsync({ body: input });
      toast.done(t(connector ? "connectors.form.saved" : "connectors.form.created", { name: saved.name }));
      onClose();
      if (saved.state !== "disabled" && saved.models.length > 0) test.mutate({ params: { id: saved.id }, body: {} });
    } catch (error) {
      if (await conflict.handleError(error, { name: input.name })) return;
      if (Object.keys(showError(error)).some((name) => SETTINGS.includes(name))) more.open();
    }
  };
  const conflict = useConflict<Connector>({
    labels: { name: t("connectors.form.name") },
    onKeepMine: (_, version) => save(version),
    onTakeTheirs: onClose,
  });
  const submit = () => {
    setFailure(null);
    if (form.values.name.trim() === "") return form.setFieldError("name", t("connectors.form.required"));
    const isKeyKept = connector?.keyHint && !isMoved;
    const known = presetOf({ kind: presets[form.values.preset].kind, baseUrl: form.values.baseUrl.trim() });
    if (presets[known].needsKey && !isKeyKept && form.values.apiKey.trim() === "") {
      const provider = t(`connectors.presets.${known}`);
      return form.setFieldError("apiKey", t("connectors.form.keyNeeded", { provider }));
    }
    if (isLocal && form.values.models.length === 0)
      return form.setFieldError("models", t("connectors.errors.localModel"));
    return save(connector?.version ?? 0);
  };
  let keyHint = t("connectors.form.keyHint");
  if (connector?.keyHint && !isMoved) keyHint = t("connectors.form.keyKept", { hint: connector.keyHint });
  return (
    <>
      <FormDialog
        opened
        onClose={onClose}
        size={660}
        title={connector ? t("connectors.form.edit", { name: connector.name }) : t("connectors.form.create")}
        submitLabel={connector ? t("connectors.form.save") : t("connectors.add")}
        busy={create.isPending || update.isPending}
        failure={failure}
        onSubmit={submit}
      >
        <Select
          label={t("connectors.form.provider")}
          allowDeselect={false}
          data={presetNames.map((value) => ({ value, label: t(`connectors.presets.${value}`) }))}
          value={form.values.preset}
          onChange={(next) => next && choosePreset(next)}
          error={form.errors["kind"]}
        />
        <TextInput label={t("connectors.form.name")} {...form.getInputProps("name")} />
        {isLocal ? <LocalModelField form={form} /> : renderProvider()}
        <Button
          variant="subtle"
          size="compact-sm"
          w="fit-content"
          aria-expanded={showsMore}
          rightSection={<IconChevronDown size={16} style={showsMore ? { rotate: "180deg" } : undefined} />}
          onClick={more.toggle}
        >
          {t("connectors.form.more")}
        </Button>
        <Collapse expanded={showsMore}>
          <Stack gap="md">
            <ConnectorSettings
              form={form}
              isLocal={isLocal}
              others={(list?.items ?? []).filter(({ id }) => id !== connector?.id)}
            />
          </Stack>
        </Collapse>
      </FormDialog>
      {conflict.dialog}
    </>
  );

  function renderProvider() {
    return (
      <>
        <TextInput
          label={t("connectors.form.address")}
          description={t("connectors.form.addressHint")}
          {...form.getInputProps("baseUrl")}
        />
        <TextInput
          type="password"
          label={t("connectors.form.key")}
          description={keyHint}
          autoComplete="new-password"
          {...form.getInputProps("apiKey")}
        />
        {isMoved && connector.keyHint !== null && (
          <Text size="sm" c="var(--ly-warn)" role="status">
            {t("connectors.form.keyMoved")}
          </Text>
        )}
        <ModelFields form={form} {...(connector && { connectorId: connector.id })} />
      </>
    );
  }
}

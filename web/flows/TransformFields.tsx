import { ActionIcon, Button, Group, NumberInput, Select, Table, Text, Textarea, TextInput } from "@mantine/core";
import { IconPlus, IconX } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import type { useFlowForm } from "#web/flows/useFlowForm.ts";

const kinds = ["none", "map", "threshold", "template"] as const;
type Props = { form: ReturnType<typeof useFlowForm> };

/** Fields of the transformation of a flow. */
export function TransformFields({ form }: Props) {
  const { t } = useTranslation();
  const { kind } = form.values;
  return (
    <>
      <Select
        label={t("flows.transform")}
        description={t(`flows.kindTexts.${kind}`, { ph: "{{value}}", interpolation: { skipOnVariables: true } })}
        allowDeselect={false}
        data={kinds.map((value) => ({ value, label: t(`flows.kinds.${value}`) }))}
        {...form.getInputProps("kind")}
      />
      {kind === "map" && <MapFields form={form} />}
      {kind === "threshold" && (
        <Group grow align="start">
          <NumberInput label={t("flows.at")} hideControls {...form.getInputProps("at")} />
          <TextInput label={t("flows.reached")} {...form.getInputProps("reached")} />
          <TextInput label={t("flows.below")} {...form.getInputProps("below")} />
        </Group>
      )}
      {kind === "template" && (
        <Textarea label={t("flows.template")} autosize minRows={2} maxRows={8} {...form.getInputProps("text")} />
      )}
    </>
  );
}

function MapFields({ form }: Props) {
  const { t } = useTranslation();
  const { pairs } = form.values;
  return (
    <>
      <Table withRowBorders={false} verticalSpacing={4} horizontalSpacing={4}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t("flows.ifValue")}</Table.Th>
            <Table.Th>{t("flows.then")}</Table.Th>
            <Table.Th w={36} />
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {pairs.map((_, index) => (
            <Table.Tr key={index}>
              <Table.Td>
                <TextInput
                  aria-label={`${t("flows.ifValue")} ${index + 1}`}
                  {...form.getInputProps(`pairs.${index}.from`)}
                />
              </Table.Td>
              <Table.Td>
                <TextInput
                  aria-label={`${t("flows.then")} ${index + 1}`}
                  {...form.getInputProps(`pairs.${index}.to`)}
                />
              </Table.Td>
              <Table.Td>
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  aria-label={t("flows.removePair", { number: index + 1 })}
                  title={t("flows.removePair", { number: index + 1 })}
                  disabled={pairs.length === 1}
                  onClick={() => form.removeListItem("pairs", index)}
                >
                  <IconX size={16} />
                </ActionIcon>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <Button
        variant="subtle"
        size="compact-sm"
        w="fit-content"
        leftSection={<IconPlus size={16} />}
        onClick={() => form.insertListItem("pairs", { from: "", to: "" })}
      >
        {t("flows.addPair")}
      </Button>
      {typeof form.errors.pairs === "string" && (
        <Text size="sm" c="var(--ly-bad)">
          {form.errors.pairs}
        </Text>
      )}
      <TextInput label={t("flows.otherwise")} {...form.getInputProps("otherwise")} />
    </>
  );
}

import { Select, Text } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { FormDialog } from "#web/core/dialog/FormDialog.tsx";
import { type ReplayVariable, type Reveal, type RevealedValues, revealReason } from "#shared/reports/replays.ts";
import type { VariableValue } from "#shared/variables/variableTypes.ts";

/**
 * The values of a sensitive variable. `valueAt` returns the value of a change by its id; null: at the start of the
 * session.
 */
export type Revealed = { valueAt: (id: number | null) => VariableValue };
type Reason = (typeof revealReason.options)[number];
export type RevealProps = {
  /** Name of the person whose values they are. */
  name: string;
  onReveal: (asked: Reveal) => Promise<RevealedValues>;
};
type Props = RevealProps & {
  variable: ReplayVariable;
  onClose: () => void;
  onShown: (values: Revealed) => void;
};

/** Asks for the reason for showing a masked value, which the learner can see. */
export function RevealDialog({ name, onReveal, variable, onClose, onShown }: Props) {
  const { t } = useTranslation();
  const [reason, setReason] = useState<Reason | null>(null);
  const [isMissing, setIsMissing] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);
  const [isBusy, setIsBusy] = useState(false);
  const submit = async () => {
    setIsMissing(reason === null);
    if (reason === null) return;
    setIsBusy(true);
    try {
      const { start, values } = await onReveal({ variableId: variable.id, reason });
      const byId = new Map(values.map(({ id, value }) => [id, value]));
      onShown({ valueAt: (id) => (id === null ? start : (byId.get(id) ?? null)) });
      onClose();
    } catch (error) {
      setFailure(error);
      setIsBusy(false);
    }
  };
  return (
    <FormDialog
      opened
      onClose={onClose}
      size={460}
      title={t("replay.reveal.title", { label: variable.label, name })}
      submitLabel={t("replay.reveal.action")}
      busy={isBusy}
      failure={failure}
      onSubmit={submit}
    >
      <Text size="sm" c="dimmed">
        {t("replay.reveal.text", { name })}
      </Text>
      <Select
        label={t("replay.reveal.reason")}
        data={revealReason.options.map((value) => ({ value, label: t(`replay.reveal.reasons.${value}`) }))}
        value={reason}
        onChange={(value) => setReason(value as Reason | null)}
        error={isMissing && t("replay.reveal.missing")}
        comboboxProps={{ withinPortal: true }}
        data-autofocus
      />
    </FormDialog>
  );
}

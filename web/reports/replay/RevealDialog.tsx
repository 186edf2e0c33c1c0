import { Select, Text } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useApiMutation } from "#web/core/api/api.ts";
import { FormDialog } from "#web/core/dialog/FormDialog.tsx";
import { type Replay, replays, type ReplayVariable, revealReason } from "#shared/replays.ts";
import type { VariableValue } from "#shared/variableValues.ts";

/** The values of a sensitive variable: `valueAt` gives that of a change by its id, null for the start of the session. */
export type Revealed = { valueAt: (id: number | null) => VariableValue };
type Reason = (typeof revealReason.options)[number];
type Props = {
  replay: Replay;
  variable: ReplayVariable;
  onClose: () => void;
  onShown: (values: Revealed) => void;
};

/** Asks why a masked value is to be shown; the learner sees the answer. */
export function RevealDialog({ replay, variable, onClose, onShown }: Props) {
  const { t } = useTranslation();
  const [reason, setReason] = useState<Reason | null>(null);
  const [isMissing, setIsMissing] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);
  const reveal = useApiMutation(replays.revealValues, { quiet: true, refetch: false });
  const submit = async () => {
    setIsMissing(reason === null);
    if (reason === null) return;
    try {
      const body = { variableId: variable.id, reason };
      const { start, values } = await reveal.mutateAsync({ params: { id: replay.session.id }, body });
      const byId = new Map(values.map(({ id, value }) => [id, value]));
      onShown({ valueAt: (id) => (id === null ? start : (byId.get(id) ?? null)) });
      onClose();
    } catch (error) {
      setFailure(error);
    }
  };
  const { name } = replay.learner;
  return (
    <FormDialog
      opened
      onClose={onClose}
      size={460}
      title={t("replay.reveal.title", { label: variable.label, name })}
      submitLabel={t("replay.reveal.action")}
      busy={reveal.isPending}
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

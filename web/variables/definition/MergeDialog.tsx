import { Text } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import { useApiMutation } from "#web/core/api/api.ts";
import { FormDialog } from "#web/core/dialog/FormDialog.tsx";
import { toast } from "#web/core/toast/toast.ts";
import { VariableSelect } from "#web/variables/VariableSelect.tsx";
import { type Variable, variables } from "#shared/variables/variables.ts";

/** Merges a variable into another one, which is shown afterwards. */
export function MergeDialog({ variable, onClose }: { variable: Variable; onClose: () => void }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [target, setTarget] = useState<Variable | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const merge = useApiMutation(variables.merge, { quiet: true });
  const submit = async () => {
    if (!target) return;
    try {
      await merge.mutateAsync({ params: { id: target.id }, body: { otherId: variable.id } });
      toast.done(t("variables.merge.done", { label: target.label }));
      onClose();
      void navigate(`/variables/${target.id}`);
    } catch (error) {
      setFailure(error);
    }
  };
  return (
    <FormDialog
      opened
      onClose={onClose}
      title={t("variables.merge.title", { label: variable.label })}
      submitLabel={t("variables.merge.verb")}
      danger
      disabled={!target}
      busy={merge.isPending}
      failure={failure}
      onSubmit={submit}
    >
      <VariableSelect label={t("variables.merge.into")} value={target} onChange={setTarget} except={variable.id} />
      <Text size="sm" c="dimmed">
        {t("variables.merge.text", { label: variable.label })}
      </Text>
    </FormDialog>
  );
}

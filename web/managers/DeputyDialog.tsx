import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useApiMutation } from "#web/core/api/api.ts";
import { FormDialog } from "#web/core/dialog/FormDialog.tsx";
import { toast } from "#web/core/toast/toast.ts";
import { DayInput } from "#web/learners/DayInput.tsx";
import { type ChosenPerson, PersonSelect } from "#web/learners/manager/PersonSelect.tsx";
import { type ManagerRow, managers } from "#shared/managers/managers.ts";

type Props = { manager: ManagerRow; companyId: string; onClose: () => void };

/** Chooses a deputy, who stands in for a manager on some days. */
export function DeputyDialog({ manager, companyId, onClose }: Props) {
  const { t } = useTranslation();
  const name = manager.name || manager.email;
  const [person, setPerson] = useState<ChosenPerson | null>(null);
  const [from, setFrom] = useState<string | null>(() => new Date().toLocaleDateString("sv"));
  const [until, setUntil] = useState<string | null>(null);
  const [isChecked, setChecked] = useState(false);
  const add = useApiMutation(managers.addDeputy, { quiet: true });
  const submit = async () => {
    setChecked(true);
    if (!person || !from || !until || until < from) return;
    const body = { deputyId: person.id, fromDay: from, untilDay: until };
    const done = await add.mutateAsync({ params: { id: manager.id }, body }).catch(() => null);
    if (!done) return;
    toast.done(t("managers.deputy.done"));
    onClose();
  };
  const untilError = until && from && until < from ? t("managers.errors.endsBeforeStart") : t("managers.deputy.noDay");
  return (
    <FormDialog
      opened
      onClose={onClose}
      title={t("managers.deputy.title", { name })}
      submitLabel={t("managers.deputy.verb")}
      busy={add.isPending}
      failure={add.error}
      onSubmit={submit}
    >
      <PersonSelect
        label={t("managers.deputy.person")}
        description={t("managers.deputy.hint", { name })}
        companyId={companyId}
        except={[manager.id]}
        value={person}
        onChange={setPerson}
        error={isChecked && !person && t("managers.deputy.missing")}
      />
      <DayInput
        label={t("managers.deputy.from")}
        value={from}
        onChange={setFrom}
        error={isChecked && !from && t("managers.deputy.noDay")}
      />
      <DayInput
        label={t("managers.deputy.until")}
        value={until}
        onChange={setUntil}
        error={isChecked && (!until || (from !== null && until < from)) && untilError}
      />
    </FormDialog>
  );
}

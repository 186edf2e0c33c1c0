import { Checkbox, Text } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useApiMutation } from "#web/core/api/api.ts";
import { FormDialog } from "#web/core/dialog/FormDialog.tsx";
import { formatNumber } from "#web/core/format/format.ts";
import { toast } from "#web/core/toast/toast.ts";
import type { Selection } from "#web/core/table/table.ts";
import { type ChosenPerson, PersonSelect } from "#web/learners/manager/PersonSelect.tsx";
import { selectionBody } from "#web/learners/selectionBody.ts";
import { type Learner, learners } from "#shared/learners/learners.ts";

type Props = { opened: boolean; onClose: () => void; selection: Selection<Learner>; onDone: () => void };

/** Sets who leads the selected learners, or that nobody does. */
export function ManagerDialog({ opened, onClose, selection, onDone }: Props) {
  const { t } = useTranslation();
  const set = useApiMutation(learners.setManager, { quiet: true });
  const { rows, count } = selection;
  const [first] = rows;
  const now = count === 1 && first?.managerId ? first : null;
  const [person, setPerson] = useState<ChosenPerson | null>(
    now && { id: now.managerId as string, name: now.manager ?? "", email: now.managerEmail, personnelNumber: null },
  );
  const [isNobody, setNobody] = useState(false);
  const [isMissing, setMissing] = useState(false);
  // Only the loaded rows tell; the server leaves people of other companies as they are.
  const companies = new Set(rows.map(({ companyId }) => companyId));
  const chosenCompany = selection.filter?.companyId;
  const only =
    chosenCompany ?? (companies.size === 1 && !selection.filter ? (first?.companyId ?? undefined) : undefined);

  const submit = async () => {
    setMissing(!person && !isNobody);
    if (!person && !isNobody) return;
    const reply = await set
      .mutateAsync({ body: { ...selectionBody(selection), managerId: isNobody ? null : (person?.id ?? null) } })
      .catch(() => null);
    if (!reply) return;
    toast.done(t("managers.set.done", { count: reply.changed, n: formatNumber(reply.changed) }));
    onDone();
    onClose();
  };
  return (
    <FormDialog
      opened={opened}
      onClose={onClose}
      title={
        count === 1 && first
          ? t("managers.set.titleOne", { name: first.name || first.email })
          : t("managers.set.title", { count })
      }
      submitLabel={t("managers.set.verb")}
      busy={set.isPending}
      failure={set.error}
      onSubmit={submit}
    >
      <PersonSelect
        label={t("managers.set.label")}
        description={t("managers.set.hint")}
        value={isNobody ? null : person}
        companyId={only}
        except={count === 1 && first ? [first.id] : []}
        disabled={isNobody}
        error={isMissing && t("managers.set.missing")}
        onChange={(next) => {
          setPerson(next);
          setMissing(false);
        }}
      />
      {!only && <Text size="sm">{t("managers.set.manyCompanies")}</Text>}
      <Checkbox
        label={t("managers.set.clear")}
        checked={isNobody}
        onChange={(event) => {
          setNobody(event.currentTarget.checked);
          setMissing(false);
        }}
      />
    </FormDialog>
  );
}

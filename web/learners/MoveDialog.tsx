import { Text } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useApiMutation } from "#web/core/api/api.ts";
import { toast } from "#web/core/toast/toast.ts";
import { selectionBody } from "#web/learners/selectionBody.ts";
import type { Selection } from "#web/core/table/table.ts";
import { CompanySelect } from "#web/learners/CompanySelect.tsx";
import { FormDialog } from "#web/core/dialog/FormDialog.tsx";
import type { CompanyRow } from "#shared/companies/companies.ts";
import { type Learner, learners } from "#shared/learners/learners.ts";

type Props = {
  opened: boolean;
  onClose: () => void;
  selection: Selection<Learner>;
  onDone: () => void;
  onAssign: () => void;
};

/** Moves learners to another company; the toast offers to assign courses there. */
export function MoveDialog({ opened, onClose, selection, onDone, onAssign }: Props) {
  const { t } = useTranslation();
  const [company, setCompany] = useState<CompanyRow | null>(null);
  const [missing, setMissing] = useState(false);
  const move = useApiMutation(learners.move, { quiet: true });
  const { rows, count: total } = selection;
  const [first] = rows;
  const from = new Set(rows.map(({ companyId }) => companyId));
  const seats = company?.learnerLimit ? company.learnerLimit - company.seats : null;

  const submit = async () => {
    setMissing(!company);
    if (!company) return;
    const reply = await move
      .mutateAsync({ body: { ...selectionBody(selection), companyId: company.id } })
      .catch(() => null);
    if (!reply) return;
    const count = reply.changed;
    toast.done(t("learners.move.done", { count, company: company.name }), {
      action: { label: t("learners.assignCourse"), run: onAssign },
    });
    setCompany(null);
    onDone();
    onClose();
  };
  return (
    <FormDialog
      opened={opened}
      onClose={onClose}
      busy={move.isPending}
      failure={move.error}
      onSubmit={submit}
      title={
        total === 1 && first
          ? t("learners.move.titleOne", { name: first.name || first.email })
          : t("learners.move.title", { count: total })
      }
      submitLabel={t("learners.move.verb", { count: total })}
    >
      <Text>{t("learners.move.text")}</Text>
      <CompanySelect
        label={t("learners.move.to")}
        value={company}
        except={from.size === 1 && !selection.filter ? (first?.companyId ?? undefined) : undefined}
        error={missing && t("learners.move.missing")}
        description={
          seats !== null && seats < total ? t("learners.move.overLimit", { count: Math.max(0, seats) }) : undefined
        }
        onChange={(next) => {
          setCompany(next);
          setMissing(false);
        }}
      />
    </FormDialog>
  );
}

import { Text } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useApiMutation } from "#web/core/api/api.ts";
import { toast } from "#web/core/toast/toast.ts";
import { inBatches } from "#web/learners/inBatches.ts";
import { CompanySelect } from "#web/learners/CompanySelect.tsx";
import { FormDialog } from "#web/core/dialog/FormDialog.tsx";
import type { CompanyRow } from "#shared/companies.ts";
import { type Learner, learners } from "#shared/learners.ts";

type Props = { opened: boolean; onClose: () => void; rows: Learner[]; onDone: () => void; onAssign: () => void };

/** Moves learners to another company; the toast offers to assign courses there. */
export function MoveDialog({ opened, onClose, rows, onDone, onAssign }: Props) {
  const { t } = useTranslation();
  const [company, setCompany] = useState<CompanyRow | null>(null);
  const [missing, setMissing] = useState(false);
  const move = useApiMutation(learners.move, { quiet: true });
  const [first] = rows;
  const from = new Set(rows.map(({ companyId }) => companyId));
  const seats = company?.learnerLimit ? company.learnerLimit - company.learners : null;

  const submit = async () => {
    setMissing(!company);
    if (!company) return;
    const count = await inBatches(
      rows.map(({ id }) => id),
      (ids) => move.mutateAsync({ body: { ids, companyId: company.id } }),
    ).catch(() => null);
    if (count === null) return;
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
        rows.length === 1 && first
          ? t("learners.move.titleOne", { name: first.name || first.email })
          : t("learners.move.title", { count: rows.length })
      }
      submitLabel={t("learners.move.verb", { count: rows.length })}
    >
      <Text>{t("learners.move.text")}</Text>
      <CompanySelect
        label={t("learners.move.to")}
        value={company}
        except={from.size === 1 ? (first?.companyId ?? undefined) : undefined}
        error={missing && t("learners.move.missing")}
        description={
          seats !== null && seats < rows.length
            ? t("learners.move.overLimit", { count: Math.max(0, seats) })
            : undefined
        }
        onChange={(next) => {
          setCompany(next);
          setMissing(false);
        }}
      />
    </FormDialog>
  );
}

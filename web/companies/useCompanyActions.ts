import { useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { useApiMutation, queriesOf } from "#web/core/api/api.ts";
import { confirm } from "#web/core/dialog/confirm.ts";
import { isCode } from "#web/core/http/http.ts";
import { toast } from "#web/core/toast/toast.ts";
import { companies, type Company, type CompanyRow } from "#shared/companies/companies.ts";

/** Suspend, archive and reactivate a company, each with a confirmation that shows the number of learners affected. */
export function useCompanyActions() {
  const { t } = useTranslation();
  const client = useQueryClient();
  const send = useApiMutation(companies.setStatus, { quiet: true });

  const set = async ({ id, name, version }: CompanyRow, status: Company["status"]) => {
    try {
      await send.mutateAsync({ params: { id }, body: { status, version } });
      toast.done(t(`companies.statusChanges.${status}.done`, { name }));
    } catch (error) {
      // The dialog shows the error; the row is reloaded, so that a second attempt uses its current version.
      if (isCode(error, "core.conflict")) await client.invalidateQueries(queriesOf(companies.list));
      throw error;
    }
  };
  const confirmStatus = (status: Company["status"]) => (company: CompanyRow) =>
    confirm({
      title: t(`companies.statusChanges.${status}.title`, { name: company.name }),
      text: t(`companies.statusChanges.${status}.text`, { count: company.seats }),
      confirmLabel: t(`companies.statusChanges.${status}.verb`),
      cancelLabel: t(`companies.statusChanges.${status}.keep`),
      danger: status !== "active",
      onConfirm: () => set(company, status),
    });
  return {
    suspend: confirmStatus("suspended"),
    archive: confirmStatus("archived"),
    reactivate: confirmStatus("active"),
  };
}

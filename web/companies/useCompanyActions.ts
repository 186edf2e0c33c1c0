import { useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { useApiMutation } from "#web/core/api/api.ts";
import { confirm } from "#web/core/dialog/confirm.ts";
import { isCode } from "#web/core/api/http.ts";
import { toast } from "#web/core/toast/toast.ts";
import { companies, type Company, type CompanyRow } from "#shared/companies.ts";

/** Suspend, archive, reactivate: each asks first and says what follows, in numbers. */
export function useCompanyActions() {
  const { t } = useTranslation();
  const client = useQueryClient();
  const send = useApiMutation(companies.setStatus, { alsoInvalidate: ["learners", "dashboard"], quiet: true });

  const set = async ({ id, name, version }: CompanyRow, status: Company["status"]) => {
    try {
      await send.mutateAsync({ params: { id }, body: { status, version } });
      toast.done(t(`companies.acts.${status}.done`, { name }));
    } catch (error) {
      // The dialog shows the reason; behind it the row becomes what it is now, so that a second try knows its version.
      if (isCode(error, "core.conflict")) await client.invalidateQueries({ queryKey: ["companies"] });
      throw error;
    }
  };
  const asking = (status: Company["status"]) => (company: CompanyRow) =>
    confirm({
      title: t(`companies.acts.${status}.title`, { name: company.name }),
      text: t(`companies.acts.${status}.text`, { count: company.learners }),
      confirmLabel: t(`companies.acts.${status}.verb`),
      cancelLabel: t(`companies.acts.${status}.keep`),
      danger: status !== "active",
      onConfirm: () => set(company, status),
    });
  return { suspend: asking("suspended"), archive: asking("archived"), reactivate: asking("active") };
}

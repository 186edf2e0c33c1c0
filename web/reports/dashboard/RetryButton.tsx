import { Button } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { queriesOf, useApiMutation } from "#web/core/api/api.ts";
import { formatNumber } from "#web/core/format/format.ts";
import { toast } from "#web/core/toast/toast.ts";
import { mails } from "#shared/mails/mails.ts";
import { reports } from "#shared/reports/reports.ts";

/** Retries the emails that could not be sent. */
export function RetryButton() {
  const { t } = useTranslation();
  const retry = useApiMutation(mails.retry);
  const queries = useQueryClient();
  const send = async () => {
    try {
      const { changed } = await retry.mutateAsync({ body: {} });
      toast.done(t("reports.attention.mailFailing.retried", { count: changed, n: formatNumber(changed) }));
      await queries.invalidateQueries(queriesOf(reports.dashboard));
    } catch (error) {
      toast.failed(error);
    }
  };
  return (
    <Button size="xs" loading={retry.isPending} onClick={() => void send()}>
      {t("reports.attention.mailFailing.retry")}
    </Button>
  );
}

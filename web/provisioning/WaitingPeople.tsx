import { Button } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { useApiMutation } from "#web/core/api/api.ts";
import { PersonMark } from "#web/core/brand/PersonMark.tsx";
import { confirm } from "#web/core/dialog/confirm.ts";
import { contactOf, nameOf } from "#web/core/display/person.ts";
import { Time } from "#web/core/display/Time.tsx";
import { Section } from "#web/core/layout/Section.tsx";
import { DataTable } from "#web/core/table/DataTable.tsx";
import { toast } from "#web/core/toast/toast.ts";
import classes from "#web/provisioning/provisioning.module.css";
import { HOLD_HOURS, HOLD_PERCENT, provisioning } from "#shared/provisioning/provisioning.ts";

/** People whom the directory would suspend beyond the limit: an admin decides about all of them. */
export function WaitingPeople({ companyId, count }: { companyId: string; count: number }) {
  const { t } = useTranslation();
  const params = { id: companyId };
  const decide = useApiMutation(provisioning.decide, { quiet: true });
  const askToSuspend = () =>
    confirm({
      title: t("provisioning.continueTitle", { count }),
      text: t("provisioning.continueText"),
      confirmLabel: t("provisioning.continue"),
      cancelLabel: t("provisioning.keepWaiting"),
      danger: true,
      typedCode: String(count),
      onConfirm: async () => {
        const { changed } = await decide.mutateAsync({ params, body: { decision: "suspend", count } });
        toast.done(t("provisioning.suspendedCount", { count: changed }));
      },
    });
  const askToRefuse = () =>
    confirm({
      title: t("provisioning.refuseTitle"),
      text: t("provisioning.refuseText", { hours: HOLD_HOURS }),
      confirmLabel: t("provisioning.refuse"),
      cancelLabel: t("provisioning.keepWaiting"),
      onConfirm: async () => {
        const { changed } = await decide.mutateAsync({ params, body: { decision: "refuse", count } });
        toast.done(t("provisioning.refusedCount", { count: changed }));
      },
    });
  return (
    <div className={classes.waiting}>
      <Section title={t("provisioning.waitingTitle", { count })}>
        <p className={classes.lead}>{t("provisioning.waitingText", { percent: HOLD_PERCENT, hours: HOLD_HOURS })}</p>
        <div className={classes.buttons}>
          <Button color="red" onClick={askToSuspend}>
            {t("provisioning.continue")}
          </Button>
          <Button variant="default" onClick={askToRefuse}>
            {t("provisioning.refuse")}
          </Button>
        </div>
        <DataTable
          list={provisioning.holds}
          params={params}
          prefix="w."
          size={10}
          noun={t("provisioning.waitingNoun")}
          rowKey={(row) => row.id}
          name={nameOf}
          mark={(row) => <PersonMark name={nameOf(row)} />}
          note={contactOf}
          to={(row) => `/learners/report/${row.id}`}
          columns={[
            { key: "name", head: t("provisioning.person") },
            { key: "kind", head: t("provisioning.what"), render: ({ kind }) => t(`provisioning.kind.${kind}`) },
            { key: "askedAt", head: t("provisioning.since"), render: (row) => <Time at={row.askedAt} /> },
          ]}
          phone={(row) => ({ line: contactOf(row), side: t(`provisioning.kind.${row.kind}`) })}
          empty={{ title: "", text: "" }}
        />
      </Section>
    </div>
  );
}

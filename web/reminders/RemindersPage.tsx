import { Tabs } from "@mantine/core";
import { useSuspenseQueries } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useParams, useSearchParams } from "react-router";
import { queryFor } from "#web/core/api/api.ts";
import { StatusDot } from "#web/core/display/StatusDot.tsx";
import { PageHead } from "#web/core/layout/PageHead.tsx";
import { PlanForm } from "#web/reminders/PlanForm.tsx";
import { ReminderLog } from "#web/reminders/ReminderLog.tsx";
import { companies } from "#shared/companies/companies.ts";
import { reminders } from "#shared/reminders/reminders.ts";

/** In which steps the people of a company are reminded, whom the next emails reach, and what was sent. */
export function RemindersPage() {
  const { t } = useTranslation();
  const { id = "" } = useParams();
  const [params, setParams] = useSearchParams();
  const [{ data: company }, { data: plan }] = useSuspenseQueries({
    queries: [queryFor(companies.get, { params: { id } }), queryFor(reminders.plan, { params: { id } })],
  });
  const [edited, setEdited] = useState(plan);
  const [isDirty, setDirty] = useState(false);
  // What another admin has saved is shown, unless something is being edited: then saving tells.
  if (edited.version !== plan.version && !isDirty) setEdited(plan);
  const tab = params.get("tab") === "log" ? "log" : "plan";
  return (
    <>
      <PageHead
        title={t("reminders.title")}
        line={
          <StatusDot tone={plan.isOn ? "ok" : "idle"}>{t(plan.isOn ? "reminders.isOn" : "reminders.isOff")}</StatusDot>
        }
        parent={{ to: `/companies/${id}`, label: company.name }}
      />
      <Tabs
        value={tab}
        onChange={(next) => setParams(next === "log" ? { tab: next } : {}, { preventScrollReset: true })}
        keepMounted={false}
      >
        <Tabs.List mb={22}>
          <Tabs.Tab value="plan">{t("reminders.tabs.plan")}</Tabs.Tab>
          <Tabs.Tab value="log">{t("reminders.tabs.log")}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="plan">
          <PlanForm
            key={edited.version}
            companyId={id}
            plan={edited}
            onDirty={setDirty}
            onSaved={(saved) => {
              setDirty(false);
              setEdited(saved);
            }}
          />
        </Tabs.Panel>
        <Tabs.Panel value="log">
          <ReminderLog companyId={id} />
        </Tabs.Panel>
      </Tabs>
    </>
  );
}

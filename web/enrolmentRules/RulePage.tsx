import { useSuspenseQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate, useParams } from "react-router";
import { queryFor } from "#web/core/api/api.ts";
import { StatusDot } from "#web/core/display/StatusDot.tsx";
import { PageHead } from "#web/core/layout/PageHead.tsx";
import { RuleForm } from "#web/enrolmentRules/RuleForm.tsx";
import { tones } from "#web/enrolmentRules/RulesPage.tsx";
import { RunNotice } from "#web/enrolmentRules/RunNotice.tsx";
import { enrolmentRules, type RuleDetail } from "#shared/enrolmentRules/enrolmentRules.ts";

const POLL_MS = 1000;
export const isRunning = ({ run }: RuleDetail) => run?.state === "applying" || run?.state === "undoing";

/** One rule: who gets what until when, and whom it would enrol before it is saved. */
export function RulePage() {
  const { id = "" } = useParams();
  return id === "new" ? <NewRule /> : <StoredRule key={id} id={id} />;
}

const useParent = () => ({ to: "/enrolment-rules", label: useTranslation().t("enrolmentRules.title") });

function NewRule() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  return (
    <>
      <PageHead title={t("enrolmentRules.newTitle")} parent={useParent()} />
      <RuleForm onSaved={({ id }) => void navigate(`/enrolment-rules/${id}`, { replace: true })} />
    </>
  );
}

function StoredRule({ id }: { id: string }) {
  const { t } = useTranslation();
  const { data: rule } = useSuspenseQuery({
    ...queryFor(enrolmentRules.get, { params: { id } }),
    refetchInterval: ({ state }) => (state.data && isRunning(state.data) ? POLL_MS : false),
  });
  const [edited, setEdited] = useState(rule);
  const [isDirty, setDirty] = useState(false);
  // What another admin has saved is shown, unless something is being edited: then saving tells.
  if (edited.version !== rule.version && !isDirty) setEdited(rule);
  return (
    <>
      <PageHead
        title={rule.name}
        parent={useParent()}
        line={<StatusDot tone={tones[rule.state]}>{t(`enrolmentRules.states.${rule.state}`)}</StatusDot>}
      />
      <RunNotice rule={rule} />
      <RuleForm
        key={edited.version}
        rule={edited}
        onDirty={setDirty}
        onSaved={(saved) => {
          setDirty(false);
          setEdited(saved);
        }}
      />
    </>
  );
}

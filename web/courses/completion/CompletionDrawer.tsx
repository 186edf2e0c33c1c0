import { Button } from "@mantine/core";
import { IconCopy } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import classes from "#web/courses/completion/completions.module.css";
import { completionText, metText } from "#web/courses/completion/conditionTexts.ts";
import { CompletionFrame } from "#web/courses/completion/CompletionFrame.tsx";
import { ConditionList } from "#web/courses/completion/ConditionList.tsx";
import { DecisionList } from "#web/courses/completion/DecisionList.tsx";
import { Helps } from "#web/courses/completion/Helps.tsx";
import { queryFor } from "#web/core/api/api.ts";
import { Colonnade } from "#web/core/display/Colonnade.tsx";
import { copyText } from "#web/core/display/copyText.ts";
import { formatDate, formatDateTime } from "#web/core/format/format.ts";
import { type Completion, completions, conditionsOf } from "#shared/completions/completions.ts";

/** Why a learner has not completed a course, or since when they have, and what would help. */
export function CompletionDrawer({ id, onClose }: { id: string | null; onClose: () => void }) {
  const { data, error, refetch } = useQuery({
    ...queryFor(completions.get, { params: { id: id ?? "" } }),
    enabled: id !== null,
  });
  const shown = id === null ? undefined : data;
  return (
    <CompletionFrame opened={id !== null} shown={shown} error={error} onRetry={() => void refetch()} onClose={onClose}>
      {(completion) => <Explained completion={completion} />}
    </CompletionFrame>
  );
}

function Explained({ completion }: { completion: Completion }) {
  const { t } = useTranslation();
  const { name, version, attemptNo, ruleSince, state, kind, saving, supportCode, completedAt, completedBy } =
    completion;
  const attempt = { name, version: version ?? "–", attempt: attemptNo };
  const facts = [
    t(attemptNo > 0 ? "completions.facts" : "completions.factsUnopened", attempt),
    ...(ruleSince ? [t("completions.ruleSince", { day: formatDate(ruleSince) })] : []),
  ];
  const told = [
    ...(completedAt ? [t("completions.completedSince", { when: formatDateTime(completedAt) })] : []),
    ...(completion.isSetByAdmin ? [`${t("completions.setByAdmin")}.`] : []),
    ...(completedBy && !completion.isSetByAdmin ? [t("completions.by", { rule: completedBy })] : []),
  ];
  const isOpen = completion.status !== "completed" && completion.status !== "withdrawn";
  const isWaiting = isOpen && state?.isMet === true && !supportCode;
  const counted = state && metText(state);
  const conditions = state ? conditionsOf(state) : [];
  return (
    <>
      <p className={classes.facts}>{facts.join(" ")}</p>
      {completion.status === "completed" && (
        <div className={classes.note} style={{ marginBlock: "0 14px" }}>
          <p>{told.join(" ")}</p>
        </div>
      )}
      {supportCode && (
        <div className={classes.note} data-bad style={{ marginBlock: "0 14px" }} role="alert">
          <p>{t("completions.ourFault")}</p>
          <p>{t("completions.support", { code: supportCode })}</p>
        </div>
      )}
      {isWaiting && (
        <div className={classes.note} style={{ marginBlock: "0 14px" }}>
          <p>{t("completions.nextStep")}</p>
        </div>
      )}
      {!state && <p className={classes.dim}>{t("completions.noVersion")}</p>}
      {state && counted && (
        <>
          <div className={classes.met}>
            {conditions.length > 1 && (
              <span aria-hidden>
                <Colonnade total={conditions.length} done={conditions.filter(({ isMet }) => isMet).length} />
              </span>
            )}
            <p>
              <b>{counted.met}</b> {counted.needs}
            </p>
          </div>
          <ConditionList tests={state.tests} kind={kind} />
        </>
      )}
      {saving && (
        <div className={classes.note} data-bad={saving.sent !== saving.stored || undefined}>
          <p>
            {t(saving.sent === saving.stored ? "completions.saved" : "completions.gaps", {
              count: saving.sent,
              stored: saving.stored,
            })}
          </p>
        </div>
      )}
      <Helps completion={completion} />
      <DecisionList completion={completion} />
      <div className={classes.foot}>
        <span className={classes.dim}>{completion.isAllShown && t("completions.sameList")}</span>
        <Button
          variant="default"
          leftSection={<IconCopy size={16} stroke={1.7} />}
          onClick={() =>
            void copyText(completionText(completion, [...facts, ...told]), t("completions.copied"), completion.course)
          }
        >
          {t("completions.copy")}
        </Button>
      </div>
    </>
  );
}

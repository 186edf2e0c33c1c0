import { Alert, Button, Progress } from "@mantine/core";
import { IconHistory } from "@tabler/icons-react";
import { useSuspenseQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { z } from "zod";
import { useLocation, useParams } from "react-router";
import { type DraftRule, isSameRule, toDraft, toRule } from "#web/completionRules/draftRule.ts";
import { EarlierRules } from "#web/completionRules/EarlierRules.tsx";
import { KeepsField } from "#web/completionRules/KeepsField.tsx";
import { RuleEffect } from "#web/completionRules/RuleEffect.tsx";
import { RuleSets } from "#web/completionRules/RuleSets.tsx";
import classes from "#web/completionRules/rules.module.css";
import { useRuleActions } from "#web/completionRules/useRuleActions.ts";
import { useTriedRule } from "#web/completionRules/useTriedRule.ts";
import { queriesOf, queryClient, queryFor } from "#web/core/api/api.ts";
import { UnsavedGuard } from "#web/core/dialog/UnsavedGuard.tsx";
import { formatDate, formatNumber } from "#web/core/format/format.ts";
import { useTimes } from "#web/core/format/TimeZone.tsx";
import { PageHead } from "#web/core/layout/PageHead.tsx";
import { completionRules, isWorking, type RuleChange, UNDO_HOURS } from "#shared/completionRules/ruleChanges.ts";
import { completionRule } from "#shared/courses/completionRules.ts";
import { courses } from "#shared/courses/courses.ts";

const POLL_MS = 1000;

/** The rule that another page proposes, which is tried like one that was entered here. */
const proposal = z.object({ proposed: completionRule });
const readProposal = (state: unknown) => proposal.safeParse(state).data?.proposed ?? null;

/** When a course counts as complete: its rule, whom another one would complete, and the earlier ones. */
export function RulePage() {
  const { t } = useTranslation();
  const { id = "" } = useParams();
  const { data: course } = useSuspenseQuery(queryFor(courses.get, { params: { id } }));
  const { data: choices } = useSuspenseQuery({
    ...queryFor(completionRules.choices, { params: { id } }),
    refetchInterval: ({ state }) => (state.data?.applied && isWorking(state.data.applied.state) ? POLL_MS : false),
  });
  const { state } = useLocation();
  const [draft, setDraft] = useState<DraftRule>(() => toDraft(readProposal(state) ?? course.completionRule));
  const [keeps, setKeeps] = useState(true);
  const [isListing, setListing] = useState(false);
  const rule = toRule(draft);
  const isChanged = rule === null || !isSameRule(rule, course.completionRule);
  const tried = useTriedRule(id, isChanged ? rule : null);
  const discard = () => setDraft(toDraft(course.completionRule));
  const actions = useRuleActions(course, () => setKeeps(true));
  // Another admin has changed the rule, or an undo has: the page shows it unless something is being edited.
  const [shown, setShown] = useState(course.completionRule);
  if (!isSameRule(shown, course.completionRule)) {
    const wasChanged = rule === null || !isSameRule(rule, shown);
    setShown(course.completionRule);
    if (!wasChanged) discard();
  }
  const { applied } = choices;
  const isBusy = applied !== null && isWorking(applied.state);
  useEffect(() => {
    if (!isBusy) void queryClient.invalidateQueries(queriesOf(courses.get));
  }, [isBusy]);
  const counted = tried.change?.state === "counted" ? tried.change : null;
  const [inUse] = choices.rules;
  const live = course.versions.find((version) => version.live);

  return (
    <>
      <PageHead
        title={t("completionRules.title")}
        parent={{ to: `/courses/${id}`, label: course.title }}
        line={t("completionRules.line", {
          version: live?.number ?? 1,
          count: course.learners,
          learners: formatNumber(course.learners),
          completed: formatNumber(course.completed),
        })}
        actions={
          <>
            {choices.rules.length > 1 && (
              <Button
                variant="default"
                leftSection={<IconHistory size={18} stroke={1.7} />}
                onClick={() => setListing(true)}
              >
                {t("completionRules.earlier", { count: choices.rules.length - 1 })}
              </Button>
            )}
            {isChanged && (
              <Button variant="default" onClick={discard}>
                {t("completionRules.discard")}
              </Button>
            )}
            <Button
              disabled={!counted || isBusy}
              loading={actions.isBusy}
              onClick={() => counted && actions.apply(counted, keeps)}
            >
              {course.learners > 0
                ? t("completionRules.apply", { count: course.learners, learners: formatNumber(course.learners) })
                : t("completionRules.applyToNobody")}
            </Button>
          </>
        }
      />
      {applied && <AppliedNotice change={applied} isBusy={actions.isBusy} onUndo={() => actions.undo(applied.id)} />}
      <div className={classes.columns}>
        <section aria-labelledby="rule">
          <h2 id="rule">{t("completionRules.when")}</h2>
          <RuleSets
            draft={draft}
            choices={{ kind: course.kind, parts: choices.parts, variables: choices.variables }}
            met={counted && { counts: counted.met, of: counted.total }}
            onChange={setDraft}
          />
          {inUse && isChanged && (
            <p className={classes.past}>
              {t(inUse.by ? "completionRules.untilToday" : "completionRules.untilTodayByNobody", {
                rule: inUse.text,
                date: formatDate(inUse.at),
                name: inUse.by,
              })}
            </p>
          )}
          {counted && counted.ends > 0 && <KeepsField change={counted} keeps={keeps} onChange={setKeeps} />}
        </section>
        <RuleEffect course={course} tried={tried} isChanged={isChanged} isUnfinished={rule === null} keeps={keeps} />
      </div>
      {isListing && (
        <EarlierRules
          rules={choices.rules.slice(1)}
          onClose={() => setListing(false)}
          onChoose={(chosen) => {
            setDraft(toDraft(chosen));
            setListing(false);
          }}
        />
      )}
      <UnsavedGuard when={isChanged && !actions.isBusy} />
    </>
  );
}

type NoticeProps = { change: RuleChange; isBusy: boolean; onUndo: () => void };

/** The last rule that was applied: how far it is, what it did, and its undo. */
function AppliedNotice({ change, isBusy, onUndo }: NoticeProps) {
  const { t } = useTranslation();
  const times = useTimes();
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 60_000);
    return () => clearInterval(timer);
  }, []);
  const { state, counted, total, appliedAt, becomes, ends, keeps } = change;
  if (isWorking(state))
    return (
      <div className={classes.notice}>
        <p className={classes.hint}>
          {t(`completionRules.is.${state as "applying" | "undoing"}`, {
            done: formatNumber(counted),
            total: formatNumber(total),
          })}
        </p>
        <Progress mt={6} value={total > 0 ? (counted / total) * 100 : 100} aria-label={t("completionRules.progress")} />
      </div>
    );
  if (!appliedAt) return null;
  const until = Date.parse(appliedAt) + UNDO_HOURS * 3_600_000;
  if (until <= now) return null;
  return (
    <Alert className={classes.notice} color="green" role="status">
      {t("completionRules.applied", { count: becomes, becomes: formatNumber(becomes) })}{" "}
      {ends > 0 && t(keeps ? "completionRules.stayed" : "completionRules.reopened", { count: ends })}{" "}
      {t("completionRules.undoUntil", { time: times.dateTime(new Date(until).toISOString()) })}{" "}
      <Button variant="default" size="compact-sm" loading={isBusy} onClick={onUndo}>
        {t("completionRules.undo")}
      </Button>
    </Alert>
  );
}

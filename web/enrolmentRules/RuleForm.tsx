import { MultiSelect, SegmentedControl, Switch, Textarea, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useEffect, useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { queryFor } from "#web/core/api/api.ts";
import { UnsavedGuard } from "#web/core/dialog/UnsavedGuard.tsx";
import { CompanyField } from "#web/enrolmentRules/CompanyField.tsx";
import { DueFields } from "#web/enrolmentRules/DueFields.tsx";
import classes from "#web/enrolmentRules/enrolmentRules.module.css";
import { conditionOf, draftOf, dueOf, newDraft, type RuleDraft } from "#web/enrolmentRules/ruleDraft.ts";
import { RuleEffect } from "#web/enrolmentRules/RuleEffect.tsx";
import { useSaveRule } from "#web/enrolmentRules/useSaveRule.tsx";
import { RuleEditor } from "#web/groups/RuleEditor.tsx";
import { ruleText } from "#web/groups/ruleText.ts";
import { useRuleChoices } from "#web/groups/useRuleChoices.ts";
import { useUser } from "#web/core/session/session.tsx";
import { courses } from "#shared/courses/courses.ts";
import { leaving, MAX_RULE_COURSES, type RuleDetail, rulePeople } from "#shared/enrolmentRules/enrolmentRules.ts";

type Props = { rule?: RuleDetail; onSaved: (rule: RuleDetail) => void; onDirty?: (isDirty: boolean) => void };

/** The form of a rule, with a preview of whom it would enrol beside it. */
export function RuleForm({ rule, onSaved, onDirty }: Props) {
  const { t } = useTranslation();
  const own = useUser()?.companyId ?? null;
  const [initial] = useState(() => (rule ? draftOf(rule) : newDraft()));
  const [draft, setDraft] = useState<RuleDraft>(initial);
  const [companyId, setCompanyId] = useState<string | null | undefined>(rule ? rule.companyId : (own ?? undefined));
  const [errors, setErrors] = useState<Record<string, string>>({});
  const choices = useRuleChoices(companyId ?? null, undefined, rule?.names);
  const { data: offered } = useQuery(queryFor(courses.choices));
  const change = (next: Partial<RuleDraft>) => {
    setDraft((current) => ({ ...current, ...next }));
    setErrors((current) => Object.fromEntries(Object.entries(current).filter(([field]) => !(field in next))));
  };
  const isDirty = JSON.stringify(draft) !== JSON.stringify(initial);
  useEffect(() => onDirty?.(isDirty), [isDirty, onDirty]);
  const condition = conditionOf(draft, rule?.condition ?? null, choices.fields);
  const due = dueOf(draft);
  const { name, explanation, courseIds, people, leaving: leave, notify } = draft;
  const input =
    companyId !== undefined && condition !== undefined && due && courseIds.length > 0
      ? { name, explanation, courseIds, people, leaving: leave, notify, condition, due }
      : null;
  const saving = useSaveRule({ rule, companyId, input, setErrors, onSaved });
  const known = [...(offered?.items ?? []), ...(rule?.courses ?? [])];
  const courseChoices = [...new Map(known.map(({ id, title }) => [id, title]))].map(([value, label]) => ({
    value,
    label,
  }));

  return (
    <>
      <div className={classes.columns}>
        <form className={classes.form} noValidate onSubmit={(event) => event.preventDefault()}>
          <Row label={t("enrolmentRules.fields.name")}>
            {(label) => (
              <TextInput
                {...label}
                autoFocus={!rule}
                maxLength={120}
                autoComplete="off"
                placeholder={t("enrolmentRules.namePlaceholder")}
                value={name}
                error={errors["name"]}
                onChange={(event) => change({ name: event.currentTarget.value })}
              />
            )}
          </Row>
          {!own && (
            <Row label={t("enrolmentRules.fields.companyId")} isGroup>
              {() => (
                <CompanyField
                  rule={rule}
                  value={companyId}
                  error={errors["companyId"]}
                  onChange={(next) => {
                    setCompanyId(next && next.id);
                    // Groups and fields of the one company are not those of another.
                    change({ condition: newDraft().condition, who: draft.who });
                  }}
                />
              )}
            </Row>
          )}
          <Row label={t("enrolmentRules.fields.condition")} isGroup>
            {() => (
              <>
                <SegmentedControl
                  aria-label={t("enrolmentRules.who.choice")}
                  value={draft.who}
                  data={(["some", "everybody"] as const).map((value) => ({
                    value,
                    label: t(`enrolmentRules.who.${value}`),
                  }))}
                  onChange={(who) => change({ who: who as RuleDraft["who"] })}
                />
                {draft.who === "some" && draft.condition && (
                  <RuleEditor
                    rule={draft.condition}
                    choices={choices}
                    onChange={(next) => change({ condition: next })}
                  />
                )}
                {draft.who === "some" && !draft.condition && rule?.condition && (
                  <p className={classes.hint}>{ruleText(rule.condition, choices.names)}</p>
                )}
                {draft.who === "some" && companyId === null && (
                  <p className={classes.hint}>{t("enrolmentRules.conditionsOfAll")}</p>
                )}
              </>
            )}
          </Row>
          <Row label={t("enrolmentRules.fields.courseIds")}>
            {(label) => (
              <MultiSelect
                {...label}
                searchable
                hidePickedOptions
                maxValues={MAX_RULE_COURSES}
                value={courseIds}
                data={courseChoices}
                placeholder={courseIds.length > 0 ? "" : t("enrolmentRules.coursesPlaceholder")}
                nothingFoundMessage={t("learners.noCourseFound")}
                error={errors["courseIds"]}
                onChange={(ids) => change({ courseIds: ids })}
              />
            )}
          </Row>
          <Row label={t("enrolmentRules.fields.due")} isGroup>
            {() => <DueFields draft={draft} error={errors["due"]} onChange={change} />}
          </Row>
          <Row label={t("enrolmentRules.fields.people")} isGroup>
            {() => (
              <>
                <SegmentedControl
                  aria-label={t("enrolmentRules.fields.people")}
                  value={people}
                  data={rulePeople.options.map((value) => ({ value, label: t(`enrolmentRules.peopleKinds.${value}`) }))}
                  onChange={(value) => change({ people: value as RuleDraft["people"] })}
                />
                <p className={classes.hint}>{t(`enrolmentRules.peopleHint.${people}`)}</p>
              </>
            )}
          </Row>
          <Row label={t("enrolmentRules.fields.leaving")} isGroup>
            {() => (
              <>
                <SegmentedControl
                  aria-label={t("enrolmentRules.fields.leaving")}
                  value={leave}
                  data={leaving.options.map((value) => ({ value, label: t(`enrolmentRules.leavingKinds.${value}`) }))}
                  onChange={(value) => change({ leaving: value as RuleDraft["leaving"] })}
                />
                <p className={classes.hint} {...(errors["leaving"] && { role: "alert" })}>
                  {errors["leaving"] ?? t("enrolmentRules.leavingHint")}
                </p>
              </>
            )}
          </Row>
          <Row label={t("enrolmentRules.fields.notify")} isGroup>
            {() => (
              <Switch
                label={t("enrolmentRules.notifyLabel")}
                checked={notify}
                onChange={(event) => change({ notify: event.currentTarget.checked })}
              />
            )}
          </Row>
          <Row label={t("enrolmentRules.fields.explanation")}>
            {(label) => (
              <Textarea
                {...label}
                autosize
                minRows={2}
                maxLength={300}
                description={t("enrolmentRules.explanationHint")}
                value={explanation}
                onChange={(event) => change({ explanation: event.currentTarget.value })}
              />
            )}
          </Row>
        </form>
        <RuleEffect
          rule={rule}
          isDirty={isDirty}
          names={choices.names}
          condition={condition}
          draft={input && companyId !== undefined ? { ...input, companyId, ...(rule && { id: rule.id }) } : null}
          saving={saving}
        />
      </div>
      {saving.dialog}
      <UnsavedGuard when={isDirty && !saving.isBusy && !saving.isSaved} />
    </>
  );
}

type RowProps = { label: string; isGroup?: boolean; children: (label: { id: string }) => ReactNode };

/** A row of the form: its label, and a field that the label names, or a group of fields. */
function Row({ label, isGroup = false, children }: RowProps) {
  const id = useId();
  const labelId = `${id}-label`;
  return (
    <div className={classes.row} {...(isGroup && { role: "group", "aria-labelledby": labelId })}>
      {isGroup ? (
        <span className={classes.label} id={labelId}>
          {label}
        </span>
      ) : (
        <label className={classes.label} htmlFor={id}>
          {label}
        </label>
      )}
      <div className={classes.fields}>{children({ id })}</div>
    </div>
  );
}

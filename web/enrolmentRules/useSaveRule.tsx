import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { useApiMutation } from "#web/core/api/api.ts";
import { useConflict } from "#web/core/dialog/useConflict.tsx";
import { useFormErrors } from "#web/core/dialog/useFormErrors.ts";
import { toast } from "#web/core/toast/toast.ts";
import { dueText } from "#web/courses/dueText.ts";
import { ruleText } from "#web/groups/ruleText.ts";
import type { Due } from "#shared/enrolmentRules/due.ts";
import { enrolmentRules, type RuleDetail, type RuleInput } from "#shared/enrolmentRules/enrolmentRules.ts";

type Options = {
  rule: RuleDetail | undefined;
  companyId: string | null | undefined;
  /** Null while it is unfinished. */
  input: RuleInput | null;
  setErrors: (errors: Record<string, string>) => void;
  onSaved: (rule: RuleDetail) => void;
};
export type Saving = {
  /** Saves, and with a state switches the rule on. */
  save: (state?: "active") => Promise<void>;
  isBusy: boolean;
  isSaved: boolean;
  failure: unknown;
  dialog: ReactNode;
};

const fields = ["name", "companyId", "courseIds", "due", "leaving"] as const;

/** Saves a rule; another admin who has changed it meanwhile is asked about, and a refused field is marked. */
export function useSaveRule({ rule, companyId, input, setErrors, onSaved }: Options): Saving {
  const { t } = useTranslation();
  const create = useApiMutation(enrolmentRules.create, { quiet: true });
  const update = useApiMutation(enrolmentRules.update, { quiet: true });
  const change = useApiMutation(enrolmentRules.setState, { quiet: true });
  const [isSaved, setSaved] = useState(false);
  const { failure, attempt } = useFormErrors(setErrors, { fields });
  const send = async (version: number, state?: "active") => {
    const body = input as RuleInput;
    const stored = rule
      ? await update.mutateAsync({ params: { id: rule.id }, body: { ...body, version } })
      : await create.mutateAsync({ body: { ...body, companyId: companyId ?? null } });
    setSaved(true);
    const params = { id: stored.id };
    const saved =
      state && stored.state !== state
        ? await change
            .mutateAsync({ params, body: { state, version: stored.version } })
            // It is stored as a draft, whose page says what is missing.
            .catch((error: unknown) => {
              toast.failed(error);
              return stored;
            })
        : stored;
    const text = saved.state === "active" && state ? "enrolmentRules.switchedOn" : "enrolmentRules.saved";
    toast.done(t(text, { name: saved.name }));
    onSaved(saved);
  };
  const save = (version: number, state?: "active"): Promise<void> =>
    attempt(
      async () => {
        const missing = {
          ...(!input?.name.trim() && input && { name: t("enrolmentRules.noName") }),
          ...(companyId === undefined && { companyId: t("learners.chooseCompany") }),
        };
        setErrors(missing);
        if (!input || Object.keys(missing).length > 0) return;
        await send(version, state);
      },
      (error) => conflict.handleError(error, { ...input } as Partial<RuleDetail>),
    );
  const conflict = useConflict<RuleDetail>({
    labels: {
      name: t("enrolmentRules.fields.name"),
      condition: t("enrolmentRules.fields.condition"),
      due: t("enrolmentRules.fields.due"),
      people: t("enrolmentRules.fields.people"),
      leaving: t("enrolmentRules.fields.leaving"),
      explanation: t("enrolmentRules.fields.explanation"),
    },
    formatValue: (field, value) => {
      if (field === "due") return dueText(value as Due);
      if (field === "people") return t(`enrolmentRules.peopleKinds.${value as RuleInput["people"]}`);
      if (field === "leaving") return t(`enrolmentRules.leavingKinds.${value as RuleInput["leaving"]}`);
      if (field !== "condition") return String(value);
      return value
        ? ruleText(value as NonNullable<RuleInput["condition"]>, rule?.names ?? {})
        : t("enrolmentRules.everybody");
    },
    onKeepMine: (_, version) => save(version),
    onTakeTheirs: onSaved,
  });
  return {
    save: (state) => save(rule?.version ?? 0, state),
    isBusy: create.isPending || update.isPending || change.isPending,
    isSaved,
    failure,
    dialog: conflict.dialog,
  };
}

import { useTranslation } from "react-i18next";
import { useApiMutation } from "#web/core/api/api.ts";
import { confirm } from "#web/core/dialog/confirm.ts";
import { toast } from "#web/core/toast/toast.ts";
import { enrolmentRules, type Rule, type RuleDetail } from "#shared/enrolmentRules/enrolmentRules.ts";

/** What is done with a rule from its row and from its page. */
export function useRuleActions(onRemoved: () => void = () => {}) {
  const { t } = useTranslation();
  const change = useApiMutation(enrolmentRules.setState);
  const remove = useApiMutation(enrolmentRules.remove, { quiet: true });
  const undo = useApiMutation(enrolmentRules.undo, { quiet: true });
  const setState = async ({ id, name, version }: Pick<Rule, "id" | "name" | "version">, state: "active" | "paused") => {
    await change.mutateAsync({ params: { id }, body: { state, version } });
    toast.done(t(state === "active" ? "enrolmentRules.switchedOn" : "enrolmentRules.paused", { name }));
  };
  const askToRemove = ({ id, name, enrolled }: Pick<Rule, "id" | "name" | "enrolled">) =>
    confirm({
      title: t("enrolmentRules.removeTitle", { name }),
      text: t("enrolmentRules.removeText", { count: enrolled }),
      confirmLabel: t("enrolmentRules.remove"),
      cancelLabel: t("enrolmentRules.keep"),
      danger: true,
      onConfirm: async () => {
        onRemoved();
        await remove.mutateAsync({ params: { id } });
        toast.done(t("enrolmentRules.removed", { name }));
      },
    });
  const askToUndo = ({ id, name, run }: RuleDetail) =>
    confirm({
      title: t("enrolmentRules.run.undoTitle", { name }),
      text: t("enrolmentRules.run.undoText", { count: run?.added ?? 0 }),
      confirmLabel: t("enrolmentRules.run.undo"),
      cancelLabel: t("enrolmentRules.keep"),
      danger: true,
      onConfirm: async () => {
        await undo.mutateAsync({ params: { id } });
        toast.done(t("enrolmentRules.run.undoStarted"));
      },
    });
  return { setState, askToRemove, askToUndo, isBusy: change.isPending };
}

import { useTranslation } from "react-i18next";
import { useApiMutation } from "#web/core/api/api.ts";
import { confirm } from "#web/core/dialog/confirm.ts";
import { formatNumber } from "#web/core/format/format.ts";
import { toast } from "#web/core/toast/toast.ts";
import { completionRules, type RuleChange } from "#shared/completionRules/ruleChanges.ts";
import type { CourseDetail } from "#shared/courses/courses.ts";

/** Applies and undoes a completion rule, with the questions before. */
export function useRuleActions(course: CourseDetail, onApplied: () => void) {
  const { t } = useTranslation();
  const applying = useApiMutation(completionRules.apply, { quiet: true });
  const undoing = useApiMutation(completionRules.undo, { quiet: true });
  return {
    isBusy: applying.isPending || undoing.isPending,
    apply({ id, becomes, ends }: RuleChange, keeps: boolean) {
      const send = async () => {
        await applying.mutateAsync({ params: { id }, body: { keeps, version: course.version } });
        onApplied();
        toast.done(t("completionRules.started"));
      };
      const reopened = keeps ? 0 : ends;
      confirm({
        title: t("completionRules.confirm.title"),
        text: [
          t("completionRules.confirm.becomes", { count: becomes, becomes: formatNumber(becomes) }),
          ...(reopened > 0
            ? [t("completionRules.confirm.reopens", { count: reopened, ends: formatNumber(reopened) })]
            : []),
          t("completionRules.confirm.undo"),
        ].join(" "),
        confirmLabel: t("completionRules.confirm.apply"),
        cancelLabel: t("completionRules.confirm.cancel"),
        danger: reopened > 0,
        onConfirm: send,
      });
    },
    undo: (id: string) =>
      confirm({
        title: t("completionRules.undoTitle"),
        text: t("completionRules.undoText"),
        confirmLabel: t("completionRules.undo"),
        cancelLabel: t("completionRules.confirm.cancel"),
        onConfirm: async () => {
          await undoing.mutateAsync({ params: { id } });
          toast.done(t("completionRules.undoStarted"));
        },
      }),
  };
}

import { useTranslation } from "react-i18next";
import { useApiMutation } from "#web/core/api/api.ts";
import { confirm } from "#web/core/dialog/confirm.ts";
import { toast } from "#web/core/toast/toast.ts";
import { type Course, courses, type Enrolment } from "#shared/courses.ts";

/** Withdraws a course from learners, and assigns it again with its progress. */
export function useWithdraw({ id, title }: Pick<Course, "id" | "title">) {
  const { t } = useTranslation();
  const withdrawMutation = useApiMutation(courses.withdraw, { quiet: true });
  const assignMutation = useApiMutation(courses.assign, { quiet: true });

  const reassign = async (rows: Enrolment[], after?: () => void) => {
    try {
      const byDueDate = Map.groupBy(rows, ({ dueDate }) => dueDate);
      let added = 0;
      for (const [dueDate, group] of byDueDate)
        added += (
          await assignMutation.mutateAsync({
            params: { id },
            body: { userIds: group.map(({ userId }) => userId), dueDate },
          })
        ).added;
      after?.();
      toast.done(t("courses.withdraw.reassigned", { count: added }));
    } catch (error) {
      toast.failed(error);
    }
  };

  const withdraw = (rows: Enrolment[], after?: () => void) => {
    const open = rows.filter(({ status }) => status !== "completed" && status !== "withdrawn");
    const completed = rows.filter(({ status }) => status === "completed").length;
    if (open.length === 0) return toast.failed(t("courses.withdraw.allCompleted"));
    const single = open.length === 1 ? open[0] : undefined;
    confirm({
      title: single
        ? t("courses.withdraw.title", { name: single.name || single.email, title })
        : t("courses.withdraw.titleMany", { count: open.length, title }),
      text: [
        t("courses.withdraw.kept"),
        ...(completed > 0 ? [t("courses.withdraw.completed", { count: completed })] : []),
      ].join(" "),
      confirmLabel: single ? t("courses.withdraw.one") : t("courses.withdraw.many", { count: open.length }),
      cancelLabel: t("courses.withdraw.keep"),
      danger: true,
      onConfirm: async () => {
        const { changed } = await withdrawMutation.mutateAsync({
          params: { id },
          body: { userIds: open.map(({ userId }) => userId) },
        });
        after?.();
        toast.done(t("courses.withdraw.done", { count: changed }), {
          action: { label: t("core.undo"), run: () => void reassign(open) },
        });
      },
    });
  };
  return { withdraw, reassign };
}

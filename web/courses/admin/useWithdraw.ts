import { useTranslation } from "react-i18next";
import { useApiMutation } from "#web/core/api/api.ts";
import { confirm } from "#web/core/dialog/confirm.ts";
import { toast } from "#web/core/toast/toast.ts";
import { type Course, courses, type Enrolment } from "#shared/courses.ts";

const touched = ["enrolments", "companies", "learners", "reports", "dashboard"];

/** Takes a course away from learners, and gives it back with everything they had. */
export function useWithdraw({ id, title }: Pick<Course, "id" | "title">) {
  const { t } = useTranslation();
  const take = useApiMutation(courses.withdraw, { alsoInvalidate: touched, quiet: true });
  const assign = useApiMutation(courses.assign, { alsoInvalidate: touched, quiet: true });

  const giveBack = async (rows: Enrolment[], after?: () => void) => {
    try {
      const dates = Map.groupBy(rows, ({ dueDate }) => dueDate);
      let added = 0;
      for (const [dueDate, group] of dates)
        added += (
          await assign.mutateAsync({ params: { id }, body: { userIds: group.map(({ userId }) => userId), dueDate } })
        ).added;
      after?.();
      toast.done(t("courses.withdraw.reassigned", { count: added }));
    } catch (error) {
      toast.failed(error);
    }
  };

  const withdraw = (rows: Enrolment[], after?: () => void) => {
    const open = rows.filter(({ status }) => status !== "completed" && status !== "withdrawn");
    const done = rows.filter(({ status }) => status === "completed").length;
    if (open.length === 0) return toast.failed(t("courses.withdraw.allCompleted"));
    const one = open.length === 1 ? open[0] : undefined;
    confirm({
      title: one
        ? t("courses.withdraw.title", { name: one.name || one.email, title })
        : t("courses.withdraw.titleMany", { count: open.length, title }),
      text: [t("courses.withdraw.kept"), ...(done > 0 ? [t("courses.withdraw.completed", { count: done })] : [])].join(
        " ",
      ),
      confirmLabel: one ? t("courses.withdraw.one") : t("courses.withdraw.many", { count: open.length }),
      cancelLabel: t("courses.withdraw.keep"),
      danger: true,
      onConfirm: async () => {
        const { changed } = await take.mutateAsync({
          params: { id },
          body: { userIds: open.map(({ userId }) => userId) },
        });
        after?.();
        toast.done(t("courses.withdraw.done", { count: changed }), {
          action: { label: t("core.undo"), run: () => void giveBack(open) },
        });
      },
    });
  };
  return { withdraw, giveBack };
}

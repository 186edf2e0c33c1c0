import { useTranslation } from "react-i18next";
import { useUndo } from "#web/courses/assign/useUndo.ts";
import { useApiMutation } from "#web/core/api/api.ts";
import { confirm } from "#web/core/dialog/confirm.ts";
import type { Selection } from "#web/core/table/table.ts";
import { toast } from "#web/core/toast/toast.ts";
import { type Course, courses } from "#shared/courses/courses.ts";
import type { Sent } from "#shared/core/route.ts";
import type { Enrolment } from "#shared/courses/enrolments.ts";

type SentSelection = NonNullable<Sent<typeof courses.withdraw>["body"]>;

/** The selection as the server takes it: the filter of the list if all rows were selected, otherwise learners. */
export const enrolmentSelection = ({ rows, filter }: Selection<Enrolment>): SentSelection => {
  if (!filter) return { userIds: rows.map(({ userId }) => userId) };
  const { courseId: _course, ...rest } = filter;
  return { filter: rest as SentSelection["filter"] };
};

/** Withdraws a course from learners, and assigns it again with its progress. */
export function useWithdraw({ id, title }: Pick<Course, "id" | "title">) {
  const { t } = useTranslation();
  const withdrawMutation = useApiMutation(courses.withdraw, { quiet: true });
  const restoreMutation = useApiMutation(courses.restore);
  const undoAction = useUndo();

  const restore = (selection: Selection<Enrolment>, after?: () => void) =>
    restoreMutation.mutateAsync({ params: { id }, body: enrolmentSelection(selection) }).then(
      ({ changed }) => {
        after?.();
        toast.done(t("courses.withdraw.reassigned", { count: changed }));
      },
      () => {},
    );

  const withdraw = (selection: Selection<Enrolment>, after?: () => void) => {
    const { rows, filter, count } = selection;
    const open = rows.filter(({ status }) => status !== "completed" && status !== "withdrawn");
    const completed = rows.filter(({ status }) => status === "completed").length;
    if (!filter && open.length === 0) return toast.failed(t("courses.withdraw.allCompleted"));
    const total = filter ? count : open.length;
    const single = total === 1 ? open[0] : undefined;
    const consequences = [];
    if (filter) consequences.push(t("courses.withdraw.selected"));
    else if (completed > 0) consequences.push(t("courses.withdraw.completed", { count: completed }));
    confirm({
      title: single
        ? t("courses.withdraw.title", { name: single.name || single.email, title })
        : t("courses.withdraw.titleMany", { count: total, title }),
      text: [...consequences, t("courses.withdraw.kept")].join(" "),
      confirmLabel: single ? t("courses.withdraw.one") : t("courses.withdraw.many", { count: total }),
      cancelLabel: t("courses.withdraw.keep"),
      danger: true,
      onConfirm: async () => {
        const body = enrolmentSelection(filter ? selection : { rows: open, count: open.length });
        const { changed, undoId } = await withdrawMutation.mutateAsync({ params: { id }, body });
        after?.();
        toast.done(t("courses.withdraw.done", { count: changed }), {
          action: undoAction(undoId, t("courses.withdraw.undone")),
        });
      },
    });
  };
  return { withdraw, restore };
}

import { useTranslation } from "react-i18next";
import { useApiMutation } from "#web/core/api/api.ts";
import { confirm } from "#web/core/dialog/confirm.ts";
import { toast } from "#web/core/toast/toast.ts";
import { lessonVersions } from "#shared/lessons/versions/versions.ts";

export type Restoring = {
  scope: "block" | "lesson" | "version";
  lessonId?: string;
  blockId?: string;
  title: string;
  outlineVersion?: number;
  /** What the author has seen of the draft. */
  seen?: Record<string, number> | undefined;
};

/** Asks before something of a version is restored into the draft, and offers to undo it. */
export function useRestore(courseId: string, number: number | null) {
  const { t } = useTranslation();
  const restore = useApiMutation(lessonVersions.restore, { quiet: true });
  const undo = useUndoRestore();
  if (number === null) return null;
  return ({ scope, title, seen, ...what }: Restoring) =>
    confirm({
      title: t(`lessonVersions.restore.${scope}Title`, { title, number }),
      text: `${t(`lessonVersions.restore.${scope}Text`, { number })} ${t("lessonVersions.restore.undoHint")}`,
      confirmLabel: t("lessonVersions.restore.confirm"),
      cancelLabel: t("lessonVersions.restore.keep"),
      onConfirm: async () => {
        const body = { number, ...what, ...(seen && { seen }) };
        const { id } = await restore.mutateAsync({ params: { id: courseId }, body });
        toast.done(t(`lessonVersions.restore.done.${scope}`, { title, number }), {
          action: { label: t("lessonVersions.undo"), run: () => void undo(id) },
        });
      },
    });
}

export function useUndoRestore() {
  const { t } = useTranslation();
  const undo = useApiMutation(lessonVersions.undo);
  return async (id: string) => {
    const { kept, isOutlineKept } = await undo.mutateAsync({ params: { id } });
    const text = [
      kept > 0 && t("lessonVersions.undoKept", { count: kept }),
      isOutlineKept && t("lessonVersions.outlineKept"),
    ].filter(Boolean);
    toast.done(t("lessonVersions.undoDone"), text.length > 0 ? { text: text.join(" ") } : {});
  };
}

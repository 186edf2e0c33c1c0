import { useTranslation } from "react-i18next";
import { useApiMutation } from "#web/core/api/api.ts";
import { toast } from "#web/core/toast/toast.ts";
import { courses } from "#shared/courses/courses.ts";

/** The Undo action of a toast: undoes a bulk change of enrolments, then says so. */
export function useUndo() {
  const { t } = useTranslation();
  const undo = useApiMutation(courses.undo);
  return (id: string, done: string) => ({
    label: t("core.undo"),
    run: () =>
      void undo.mutateAsync({ params: { id } }).then(
        () => toast.done(done),
        () => {},
      ),
  });
}

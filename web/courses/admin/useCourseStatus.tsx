import { Menu } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { call, useApiMutation } from "#web/core/api/api.ts";
import { confirm } from "#web/core/dialog/confirm.ts";
import { isCode } from "#web/core/http/http.ts";
import { toast } from "#web/core/toast/toast.ts";
import { type Course, courses } from "#shared/courses/courses.ts";

type Status = Course["status"];
type Row = Pick<Course, "id" | "title" | "status" | "version" | "warnings" | "learners" | "inProgress">;

/** Publish, archive and restore courses, for the row menu, selected rows and the header of a course. */
export function useCourseStatus() {
  const { t } = useTranslation();
  const statusMutation = useApiMutation(courses.setStatus, {
    quiet: true,
  });

  /** Retries after a conflict, unless someone else has changed the status. */
  const setStatus = async (row: Row, status: Status) => {
    const params = { id: row.id };
    try {
      return await statusMutation.mutateAsync({ params, body: { status, version: row.version } });
    } catch (error) {
      if (!isCode(error, "core.conflict")) throw error;
      const now = await call(courses.get, { params });
      if (now.status !== row.status && now.status !== status) throw error;
      return statusMutation.mutateAsync({ params, body: { status, version: now.version } });
    }
  };

  const publish = (row: Row) => {
    const run = async () => {
      await setStatus(row, "published");
      toast.done(t("courses.publish.done", { title: row.title }), {
        text: row.learners > 0 ? t("courses.publish.doneText", { count: row.learners }) : undefined,
      });
    };
    if (row.warnings === 0) return void run().catch((error: unknown) => toast.failed(error));
    confirm({
      title: t("courses.publish.title", { title: row.title }),
      text: t("courses.publish.text", { count: row.warnings }),
      confirmLabel: t("courses.publish.action"),
      cancelLabel: t("courses.publish.keep"),
      onConfirm: run,
    });
  };

  const archive = (rows: Row[], after?: () => void) => {
    const active = rows.filter((row) => row.status !== "archived");
    const first = active[0];
    if (!first) return after?.();
    const undo = () =>
      void Promise.all(active.map((row) => setStatus({ ...row, status: "archived" }, row.status))).catch(
        (error: unknown) => toast.failed(error),
      );
    const run = async () => {
      for (const row of active) await setStatus(row, "archived");
      after?.();
      const title =
        active.length === 1
          ? t("courses.archive.done", { title: first.title })
          : t("courses.archive.doneMany", { count: active.length });
      toast.done(title, { text: t("courses.archive.doneText"), action: { label: t("core.undo"), run: undo } });
    };
    const learners = active.reduce((sum, row) => sum + row.learners, 0);
    const inProgress = active.reduce((sum, row) => sum + row.inProgress, 0);
    if (learners === 0) return void run().catch((error: unknown) => toast.failed(error));
    confirm({
      title:
        active.length === 1
          ? t("courses.archive.title", { title: first.title })
          : t("courses.archive.titleMany", { count: active.length }),
      text: [
        t("courses.archive.text", { count: learners }),
        t("courses.archive.inProgress", { count: inProgress }),
        t("courses.archive.kept"),
      ].join(" "),
      confirmLabel:
        active.length === 1 ? t("courses.archive.course") : t("courses.archive.courses", { count: active.length }),
      cancelLabel: t("courses.archive.keep"),
      onConfirm: run,
    });
  };

  const restore = async (row: Row) => {
    try {
      await setStatus(row, "published");
      toast.done(t("courses.restore.done", { title: row.title }));
    } catch (error) {
      toast.failed(error);
    }
  };

  const items = (row: Row) => (
    <>
      {row.status === "draft" && <Menu.Item onClick={() => publish(row)}>{t("courses.publish.action")}</Menu.Item>}
      {row.status === "archived" && (
        <Menu.Item onClick={() => void restore(row)}>{t("courses.restore.action")}</Menu.Item>
      )}
      {row.status !== "archived" && <Menu.Item onClick={() => archive([row])}>{t("courses.archive.action")}</Menu.Item>}
    </>
  );
  return { publish, archive, restore, items, busy: statusMutation.isPending };
}

import { call, queryClient, queriesOf } from "#web/core/api/api.ts";
import type { UploadHandler } from "#web/core/upload/uploadHandlers.ts";
import { navigateTo } from "#web/core/layout/navigateTo.ts";
import { i18n } from "#web/core/i18n.ts";
import { messageOf } from "#web/core/http/messages.ts";
import { toast } from "#web/core/toast/toast.ts";
import { isWatched, type UploadDestination, type Upload } from "#web/core/upload/uploads.ts";
import { type CourseDetail, courses } from "#shared/courses/courses.ts";

/** The course that gets a new version; null for a new course. */
export type UploadTarget = { courseId: string; title: string } | null;
export const PACKAGE_UPLOAD = "package";
export const slotOf = (courseId: string | undefined) => `${PACKAGE_UPLOAD}:${courseId ?? "new"}`;
/** Watched while a page shows the notice of these uploads. */
export const noticeOf = (slot: string) => `notice:${slot}`;
export const uploadPlaceFor = (course: { id: string; title: string } | undefined): UploadDestination => ({
  kind: PACKAGE_UPLOAD,
  slot: slotOf(course?.id),
  purpose: "course",
  about: (course ? { courseId: course.id, title: course.title } : null) satisfies UploadTarget,
});
export const targetOf = (upload: Upload) => upload.about as UploadTarget;
/** The imported course of a finished upload. */
export const courseOf = (upload: Upload) => upload.reply as CourseDetail;
/** The page that shows the result of an upload. */
export const coursePathOf = (upload: Upload) =>
  targetOf(upload) ? `/courses/${courseOf(upload).id}?tab=versions` : `/courses/${courseOf(upload).id}`;

/** Imports an uploaded package as a course or a new version. Idempotent. */
export const uploadHandler: UploadHandler = {
  async finish({ fullPath, name, about }, signal) {
    const target = about as UploadTarget;
    const course = await call(
      courses.importPackage,
      { body: { path: fullPath, name, ...(target && { courseId: target.courseId }) } },
      signal,
    );
    void queryClient.invalidateQueries(queriesOf(courses.list));
    return course;
  },
  announce(upload) {
    const { t } = i18n;
    if (upload.phase === "done") {
      const { title, versions } = courseOf(upload);
      const action = {
        label: targetOf(upload) ? t("courses.upload.openVersions") : t("courses.upload.openCourse"),
        run: () => navigateTo(coursePathOf(upload)),
      };
      const warnings = versions[0]?.warnings.length ?? 0;
      return toast.done(
        t("courses.upload.importedTitle", { title: targetOf(upload) ? title : (versions[0]?.title ?? title) }),
        {
          action,
          ...(warnings > 0 && { text: t("courses.upload.warnings", { count: warnings }) }),
        },
      );
    }
    if (isWatched(noticeOf(PACKAGE_UPLOAD)) || isWatched(noticeOf(upload.slot))) return;
    const about = targetOf(upload);
    const show = {
      label: t("courses.upload.show"),
      run: () => navigateTo(about ? `/courses/${about.courseId}` : "/courses"),
    };
    toast.failed(
      upload.phase === "refused"
        ? t("courses.upload.rejected", { name: upload.name })
        : t("courses.upload.failed", { name: upload.name }),
      { text: messageOf(upload.error), action: show },
    );
  },
};

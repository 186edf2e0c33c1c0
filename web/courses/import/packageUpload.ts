import { call, queryClient } from "#web/core/api/api.ts";
import type { UploadHandler } from "#web/core/upload/uploadHandlers.ts";
import { navigateTo } from "#web/core/layout/navigateTo.ts";
import { i18n } from "#web/core/i18n.ts";
import { messageOf } from "#web/core/api/messages.ts";
import { toast } from "#web/core/toast/toast.ts";
import { isWatched, type Place, type Upload } from "#web/core/upload/uploads.ts";
import { type CourseDetail, courses } from "#shared/courses.ts";

/** The course that gets a new version. */
export type About = { courseId: string; title: string } | null;
export const PACKAGE = "package";
export const slotOf = (courseId: string | undefined) => `${PACKAGE}:${courseId ?? "new"}`;
/** Looked at while a page shows the notice of these uploads. */
export const noticeOf = (slot: string) => `notice:${slot}`;
export const placeOf = (course: { id: string; title: string } | undefined): Place => ({
  kind: PACKAGE,
  slot: slotOf(course?.id),
  purpose: "course",
  about: (course ? { courseId: course.id, title: course.title } : null) satisfies About,
});
export const aboutOf = (upload: Upload) => upload.about as About;
/** What a finished upload has become. */
export const courseOf = (upload: Upload) => upload.reply as CourseDetail;
/** Where a course shows what the upload brought. */
export const pathOf = (upload: Upload) =>
  aboutOf(upload) ? `/courses/${courseOf(upload).id}?tab=versions` : `/courses/${courseOf(upload).id}`;

/** A stored package becomes a course or a version of one; asking twice gives the same course. */
export const finisher: UploadHandler = {
  async finish({ path, name, about }, signal) {
    const target = about as About;
    const course = await call(
      courses.importPackage,
      { body: { path, name, ...(target && { courseId: target.courseId }) } },
      signal,
    );
    void queryClient.invalidateQueries({ queryKey: ["courses"] });
    return course;
  },
  announce(upload) {
    const { t } = i18n;
    if (upload.phase === "done") {
      const { title, versions } = courseOf(upload);
      const action = {
        label: aboutOf(upload) ? t("courses.upload.openVersions") : t("courses.upload.openCourse"),
        run: () => navigateTo(pathOf(upload)),
      };
      const warnings = versions[0]?.warnings.length ?? 0;
      return toast.done(
        t("courses.upload.importedTitle", { title: aboutOf(upload) ? title : (versions[0]?.title ?? title) }),
        {
          action,
          ...(warnings > 0 && { text: t("courses.upload.warnings", { count: warnings }) }),
        },
      );
    }
    if (isWatched(noticeOf(PACKAGE)) || isWatched(noticeOf(upload.slot))) return;
    const about = aboutOf(upload);
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

import { call, queryClient, queriesOf } from "#web/core/api/api.ts";
import { ApiError } from "#web/core/http/http.ts";
import { messageOf } from "#web/core/http/messages.ts";
import { i18n } from "#web/core/i18n.ts";
import { navigateTo } from "#web/core/layout/navigateTo.ts";
import { toast } from "#web/core/toast/toast.ts";
import type { UploadHandler } from "#web/core/upload/uploadHandlers.ts";
import type { UploadDestination } from "#web/core/upload/uploads.ts";
import { drafts } from "#shared/lessons/drafts.ts";
import type { OutlineChange } from "#shared/lessons/outline.ts";

/** Where a package goes: a new place in the contents with an id of its own, or the place of another package. */
export type PackageTarget = { courseId: string; id: string } & ({ moduleId: string; at: number } | { replaces: true });
export const DRAFT_PACKAGE_UPLOAD = "draftPackage";
export const packageSlot = ({ courseId, id }: Pick<PackageTarget, "courseId" | "id">) =>
  `${DRAFT_PACKAGE_UPLOAD}:${courseId}:${id}`;
export const packageDestination = (target: PackageTarget): UploadDestination => ({
  kind: DRAFT_PACKAGE_UPLOAD,
  slot: packageSlot(target),
  purpose: "course",
  about: target,
});

const MAX_TITLE_CHARS = 200;

/** Imports a package and puts it into the contents. Idempotent: the place has its id before the upload. */
export const uploadHandler: UploadHandler = {
  async finish({ fullPath, name, about }, signal) {
    const target = about as PackageTarget;
    const params = { id: target.courseId };
    const added = await call(drafts.importPackage, { params, body: { path: fullPath, name } }, signal);
    const place: OutlineChange =
      "replaces" in target
        ? { kind: "replacePackage", id: target.id, packageId: added.id }
        : {
            kind: "addPackage",
            id: target.id,
            title: added.title.slice(0, MAX_TITLE_CHARS),
            moduleId: target.moduleId,
            at: target.at,
            packageId: added.id,
          };
    try {
      await call(drafts.change, { params, body: place }, signal);
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== "lessonDrafts.outlineExists") throw error;
    }
    void queryClient.invalidateQueries(queriesOf(drafts.get));
    return added;
  },
  announce(upload) {
    const { t } = i18n;
    const { courseId, id } = upload.about as PackageTarget;
    const action = {
      label: t("lessonDrafts.upload.show"),
      run: () => navigateTo(`/courses/${courseId}/edit?lesson=${id}`),
    };
    if (upload.phase === "done") return toast.done(t("lessonDrafts.package.added", { name: upload.name }), { action });
    toast.failed(t("courses.upload.rejected", { name: upload.name }), { text: messageOf(upload.error), action });
  },
};

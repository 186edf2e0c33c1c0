import type { Mount } from "#server/core/http/http.ts";
import { copyDraft } from "#server/lessons/drafts/copying.ts";
import { addLessonFile, listLessonFiles } from "#server/lessons/drafts/files.ts";
import { importDraftPackage } from "#server/lessons/drafts/packages.ts";
import { previewCourse, publishDraft, reviewDraft } from "#server/lessons/drafts/publishing.ts";
import { changeDraft, createDraft, enterLesson, getDraft } from "#server/lessons/drafts/service.ts";
import { listUpdates, writeUpdate } from "#server/lessons/drafts/updates.ts";
import { canWriteCourses, drafts } from "#shared/lessons/drafts.ts";

export function draftRoutes(on: Mount) {
  on(drafts.create, canWriteCourses, (call) => createDraft(call, call.body));
  on(drafts.copy, canWriteCourses, (call) => copyDraft(call, call.params.id, call.body));
  on(drafts.get, canWriteCourses, (call) => getDraft(call, call.params.id));
  on(drafts.change, canWriteCourses, (call) => changeDraft(call, call.params.id, call.body));
  on(drafts.review, canWriteCourses, (call) => reviewDraft(call, call.params.id));
  on(drafts.publish, canWriteCourses, (call) => publishDraft(call, call.params.id));
  on(drafts.preview, canWriteCourses, (call) => previewCourse(call.db, call.params.id));
  on(drafts.updates, canWriteCourses, (call) => listUpdates(call, call.params.id, call.query));
  on(drafts.write, canWriteCourses, (call) => writeUpdate(call, call.params.id, call.body));
  on(drafts.importPackage, canWriteCourses, (call) => importDraftPackage(call, call.params.id, call.body));
  on(drafts.enter, canWriteCourses, (call) => enterLesson(call, call.params.id, call.body));
  on(drafts.addFile, canWriteCourses, (call) => addLessonFile(call, call.params.id, call.body));
  on(drafts.files, canWriteCourses, (call) => listLessonFiles(call, call.params.id, call.body));
}

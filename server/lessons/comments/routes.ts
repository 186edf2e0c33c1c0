import type { Mount } from "#server/core/http/http.ts";
import {
  addComment,
  editComment,
  listComments,
  removeComment,
  resolveThread,
} from "#server/lessons/comments/service.ts";
import { lessonComments } from "#shared/lessons/comments/comments.ts";
import { canWriteCourses } from "#shared/lessons/drafts.ts";

export function commentRoutes(on: Mount) {
  on(lessonComments.list, canWriteCourses, (call) => listComments(call, call.params.id));
  on(lessonComments.add, canWriteCourses, (call) => addComment(call, call.params.id, call.body));
  on(lessonComments.edit, canWriteCourses, (call) => editComment(call, call.params.id, call.body));
  on(lessonComments.remove, canWriteCourses, (call) => removeComment(call, call.params.id));
  on(lessonComments.resolve, canWriteCourses, (call) => resolveThread(call, call.params.id, call.body));
}

import type { Mount } from "#server/core/http/http.ts";
import { listExplainedCourses } from "#server/outlook/courses.ts";
import { listExplainedRules } from "#server/outlook/rules.ts";
import { readMemberOutlook, readOutlook } from "#server/outlook/service.ts";
import { canExplainRules, canReadMemberOutlook, canReadOutlook, outlooks } from "#shared/outlook/outlook.ts";

export function outlookRoutes(on: Mount) {
  on(outlooks.get, canReadOutlook, (call) => readOutlook(call, call.params.id, call.query.days));
  on(outlooks.courses, canReadOutlook, (call) => listExplainedCourses(call, call.params.id, call.query));
  on(outlooks.rules, canExplainRules, (call) => listExplainedRules(call, call.params.id, call.query));
  on(outlooks.member, canReadMemberOutlook, (call) => readMemberOutlook(call, call.params.id, call.query.days));
}

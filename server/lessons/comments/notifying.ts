import { isOneOf } from "#server/core/database/listing.ts";
import type { Tx } from "#server/core/database/db.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { notify } from "#server/notifications/notify.ts";
import { lessonsOf } from "#shared/lessons/outline.ts";
import texts from "#shared/locales/en/lessonDrafts.json" with { type: "json" };
import type { User } from "#shared/core/users.ts";

type Commented = {
  id: string;
  threadId: string;
  lessonId: string;
  courseId: string;
  /** Ids of people. */
  mentioned: string[];
  text: string;
  isEdited?: boolean;
};

/** Notifies who is mentioned, and who has written in the thread. The text itself stays in the editor. */
export async function notifyCommented(tx: Tx, ctx: Ctx<User>, comment: Commented) {
  const { id, threadId, lessonId, courseId, isEdited = false } = comment;
  const draft = await tx
    .selectFrom("courseDrafts")
    .innerJoin("courses", "courses.id", "courseDrafts.courseId")
    .where("courseDrafts.courseId", "=", courseId)
    .select(["courses.title", "courseDrafts.outline"])
    .executeTakeFirstOrThrow();
  const lesson = lessonsOf(draft.outline).find((one) => one.id === lessonId)?.title ?? "";
  const others = await tx
    .selectFrom("lessonComments")
    .where("threadId", "=", threadId)
    .where("authorId", "is not", null)
    .select("authorId")
    .distinct()
    .execute();
  const mentioned = comment.mentioned.filter((one) => one !== ctx.user.id);
  const inThread = others.flatMap(({ authorId }) => authorId ?? []);
  const told = {
    params: { name: ctx.user.name || texts.unnamed, course: draft.title, lesson },
    link: `/courses/${courseId}/edit?lesson=${lessonId}&thread=${threadId}`,
  };
  if (mentioned.length > 0)
    await notify(ctx, tx, { to: mentioned, kind: "commentMention", ...told, key: `commentMention ${id}` });
  const answered = inThread.filter((one) => one !== ctx.user.id && !mentioned.includes(one));
  if (answered.length === 0 || isEdited) return;
  const strangers = new Set(await listStrangers(tx, ctx.user, answered));
  const answer = { kind: "commentAnswer" as const, key: `commentAnswer ${id}` };
  const colleagues = answered.filter((one) => !strangers.has(one));
  if (colleagues.length > 0) await notify(ctx, tx, { to: colleagues, ...answer, ...told });
  const params = { ...told.params, name: texts.otherCompany };
  if (strangers.size > 0) await notify(ctx, tx, { to: [...strangers], ...answer, ...told, params });
}

/** Who may not read the name of a person: people of other companies. */
async function listStrangers(tx: Tx, { companyId }: User, ids: string[]) {
  if (companyId === null) return [];
  const rows = await tx
    .selectFrom("users")
    .where(isOneOf("users.id", ids))
    .where("users.companyId", "!=", companyId)
    .select("users.id")
    .execute();
  return rows.map(({ id }) => id);
}

import { paths } from "#shared/paths/paths.ts";
import { stepOf } from "#test/paths.ts";
import { bodyOf } from "#test/probes.ts";
import type { Person, start } from "#test/start.ts";

/** Every action on learning paths that the audit log records. */
export async function changePaths({ as, make }: Awaited<ReturnType<typeof start>>, admin: Person) {
  const boss = as(admin);
  const company = await make.company(admin);
  const learner = await make.learner(company.accessCode);
  const course = await make.course(admin);
  const body = { title: "A secret path", steps: [stepOf(course.id)] };
  const made = bodyOf(await boss(paths.create, { body }));
  const params = { id: made.id };
  const change = { title: "Another secret", version: made.version };
  const named = bodyOf(await boss(paths.update, { params, body: change }));
  const live = bodyOf(await boss(paths.publish, { params, body: { people: "keep", version: named.version } }));
  const userIds = [learner.user.id];
  bodyOf(await boss(paths.assign, { params, body: { userIds } }));
  bodyOf(await boss(paths.withdraw, { params, body: { userIds } }));
  const away = { archived: true, version: live.version };
  const { version } = bodyOf(await boss(paths.setArchived, { params, body: away }));
  bodyOf(await boss(paths.setArchived, { params, body: { archived: false, version } }));
}

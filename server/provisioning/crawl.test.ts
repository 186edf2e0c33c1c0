import { sql } from "kysely";
import { expect, test } from "vitest";
import { operations } from "#server/provisioning/scim/operations.ts";
import {
  createDirectories,
  ENTERPRISE,
  GROUP,
  isWaiting,
  patchOf,
  type ScimUser,
  SEARCH,
  USER,
} from "#test/directory.ts";
import { start } from "#test/start.ts";

const server = await start();
const { db } = server;
const { company } = createDirectories(server);

async function furnish(tag: string) {
  const room = await company();
  for (let at = 0; at < 25; at++) await room.create({ userName: `${tag}-filler-${at}` });
  const boss = await room.create({
    userName: `${tag}-boss@crawl.test`,
    externalId: `${tag}-boss`,
    title: `${tag} title`,
  });
  const user = await room.create({
    userName: `${tag}-user@crawl.test`,
    externalId: `${tag}-user`,
    displayName: `${tag} person`,
    [ENTERPRISE]: { employeeNumber: `${tag}-7`, manager: { value: boss.id } },
  });
  const left = await room.create({ userName: `${tag}-left`, externalId: `${tag}-left` });
  await room.done("DELETE", `/Users/${left.id}`);
  const members = [{ value: user.id }, { value: boss.id }];
  const group = await room.done<ScimUser>("POST", "/Groups", {
    schemas: [GROUP],
    displayName: `${tag} group`,
    externalId: `${tag}-group`,
    members,
  });
  return { ...room, boss, user, left, group };
}

const mine = await furnish("mine");
const theirs = await furnish("theirs");
const { user, boss, left, group } = theirs;
const marks = [theirs.company.id, theirs.company.name, user.id, boss.id, left.id, group.id, "theirs"];

/** Everything of the other company that a directory could change. */
async function snapshot() {
  const { rows } = await sql`
    select (
        select jsonb_agg(to_jsonb(users) order by id)
        from users
        where company_id = ${theirs.company.id}
      ) as users,
      (
        select jsonb_agg(to_jsonb(provisioned_people) order by user_id)
        from provisioned_people
        where company_id = ${theirs.company.id}
      ) as people,
      (
        select jsonb_agg(to_jsonb(groups) order by id)
        from groups
        where company_id = ${theirs.company.id}
      ) as groups,
      (
        select jsonb_agg(to_jsonb(group_provided_members) order by user_id)
        from group_provided_members
        where group_id = ${group.id}
      ) as members,
      (
        select jsonb_agg(to_jsonb(managers) order by user_id)
        from managers
        where company_id = ${theirs.company.id}
      ) as managers,
      (
        select count(*)::int
        from provisioning_holds
        where company_id = ${theirs.company.id}
      ) as holds`.execute(db);
  return rows[0];
}

const whole = (id: string) => ({
  schemas: [USER],
  userName: `mine-${crypto.randomUUID()}`,
  [ENTERPRISE]: { manager: { value: id } },
});
const bodiesOf = (method: string, path: string): object[] => {
  if (path.endsWith(".search"))
    return [{ schemas: [SEARCH] }, { schemas: [SEARCH], filter: `id eq "${user.id}" or displayName co "theirs"` }];
  if (method === "POST" || method === "PUT") {
    if (path.startsWith("/Groups"))
      return [
        { schemas: [GROUP], displayName: `m ${crypto.randomUUID()}`, members: [{ value: user.id }] },
        { schemas: [GROUP], displayName: "theirs group", id: group.id },
      ];
    return [
      whole(user.id),
      { ...whole(boss.id), userName: user.userName },
      { ...whole(left.id), externalId: "theirs-left", userName: "theirs-left", active: false },
      { schemas: [USER], userName: "mine-other", externalId: "theirs-user", id: user.id },
    ];
  }
  if (method === "PATCH")
    return [
      patchOf({ op: "replace", path: "members", value: [{ value: user.id }] }),
      patchOf({ op: "remove", path: `members[value eq "${user.id}"]` }),
      patchOf({ op: "add", path: `${ENTERPRISE}:manager`, value: user.id }),
      patchOf({ op: "replace", value: { active: false, id: user.id, userName: user.userName } }),
    ];
  return [];
};

test("no call with the key of one company reads or changes anything of another", async () => {
  const before = await snapshot();
  let count = 0;
  for (const { method, path } of operations) {
    const targets = path.includes(":id")
      ? [user.id, boss.id, left.id, group.id, mine.user.id, mine.group.id, theirs.company.id, theirs.key.id]
      : [""];
    const queries = [
      "",
      `?filter=${encodeURIComponent(`id eq "${user.id}"`)}`,
      `?filter=${encodeURIComponent('displayName co "theirs" or externalId sw "theirs"')}`,
      `?filter=${encodeURIComponent(`${ENTERPRISE}:manager.value eq "${boss.id}"`)}`,
      `?filter=${encodeURIComponent(`members.value eq "${user.id}"`)}`,
      `?filter=${encodeURIComponent(`groups.value eq "${group.id}" or userName pr`)}`,
      "?sortBy=displayName&count=200",
    ];
    const bodies = bodiesOf(method, path);
    for (const target of targets)
      for (const [at, query] of queries.entries())
        for (const body of bodies.length > 0 ? bodies : [undefined]) {
          if (method !== "GET" && at > 1) continue;
          if (method === "DELETE" && [mine.user.id, mine.group.id].includes(target)) continue;
          const url = path.replace(":id", target) + query;
          const reply = await mine.call(method, url, body);
          count++;
          const said = `${method} ${url} ${JSON.stringify(body)} → ${JSON.stringify(reply.body)?.slice(0, 300)}`;
          expect(reply.status === 501 || isWaiting(reply) ? 400 : reply.status, said).toBeLessThan(500);
          if (marks.includes(target)) expect(reply.status, said).toBeGreaterThanOrEqual(400);
          // What the caller has sent may come back: the address, and texts of its own people.
          const text = JSON.stringify(reply.body ?? "").replaceAll(
            /"(userName|externalId|displayName|formatted)":"[^"]*"/g,
            "",
          );
          if (reply.status < 300)
            for (const mark of marks) expect(text.includes(mark) ? `${mark} in ${said}` : "", said).toBe("");
        }
  }
  expect(await snapshot()).toEqual(before);
  expect(count).toBeGreaterThan(150);
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count
    from provisioning_calls
    left join users on users.id = person_id
    left join groups on groups.id = group_id
    where provisioning_calls.company_id = ${mine.company.id}
      and coalesce(users.company_id, groups.company_id, ${mine.company.id}) <> ${mine.company.id}`.execute(db);
  expect(rows).toEqual([{ count: 0 }]);
}, 60_000);

import { Agent, request } from "node:http";
import { auth } from "#shared/auth/auth.ts";
import { companies } from "#shared/companies/companies.ts";
import { courses } from "#shared/courses/courses.ts";
import { type Launch, player, SESSION_HEADER, type SessionEvent } from "#shared/player/player.ts";
import { variables } from "#shared/variables/variables.ts";
import { createClient } from "#test/client.ts";
import { packageOf } from "#test/samplePackage.ts";
import { ADMIN } from "#test/process.ts";
import { PASSWORD } from "#test/password.ts";

/**
 * Opens a course session for each of `count` learners. `post(lane)` sends the next commit of one: a slide with 1 KB of
 * suspend data.
 */
export async function openSessions(url: string, count: number) {
  const sessions = await launchAll(url, count);
  const agent = new Agent({ keepAlive: true, maxSockets: count });
  const next = sessions.map(() => 1);
  const eventsOf = (lane: number, hasValue: boolean): SessionEvent[] => {
    const seq = next[lane] as number;
    next[lane] = seq + (hasValue ? 4 : 3);
    const set = (index: number, key: string, value: string): SessionEvent => ({
      seq: seq + index,
      t: (seq + index) * 100,
      type: "scorm.set",
      sco: "i1",
      key,
      value,
    });
    return [
      set(0, "cmi.core.lesson_location", `slide-${seq}`),
      set(1, "cmi.suspend_data", `${seq}`.padStart(1024, "x")),
      set(2, "cmi.core.session_time", "0000:10:00"),
      ...(hasValue ? [{ ...set(3, "rating", JSON.stringify(1 + (seq % 10))), type: "variable.set" as const }] : []),
    ];
  };
  const send = (lane: number, hasValue: boolean) =>
    new Promise<void>((resolve, reject) => {
      const { sessionId, token } = sessions[lane] as Launch;
      const events = eventsOf(lane, hasValue);
      const body = JSON.stringify({ events, activeMs: 1000 });
      /** The next commit sends these events again. */
      const fail = (error: Error) => {
        next[lane] = events[0]?.seq ?? 1;
        reject(error);
      };
      const call = request(
        `${url.replace("localhost", "127.0.0.1")}${player.commit.path.replace(":id", sessionId)}`,
        {
          agent,
          method: "POST",
          headers: {
            "content-type": "application/json",
            "content-length": Buffer.byteLength(body),
            [SESSION_HEADER]: token,
          },
        },
        (reply) => {
          reply.resume();
          reply.on("end", () =>
            reply.statusCode === 200 ? resolve() : fail(new Error(`commit: ${reply.statusCode}`)),
          );
        },
      );
      call.on("error", fail);
      call.end(body);
    });
  return {
    sessions,
    post: (lane: number) => send(lane, false),
    /** The same commit with a value of the variable `rating`. */
    postWithValue: (lane: number) => send(lane, true),
    close: () => agent.destroy(),
  };
}

async function launchAll(url: string, count: number) {
  const admin = createClient(url);
  admin.useToken((await admin.call(auth.signIn, { body: ADMIN })).token);
  const company = await admin.call(companies.create, { body: { name: "Bench" } });
  const { body: course } = await admin.upload("course.zip", packageOf());
  await admin.call(courses.setStatus, {
    params: { id: course.id },
    body: { status: "published", version: course.version },
  });
  await admin.call(variables.create, {
    body: { key: "rating", label: "Rating", type: "number", courses: [{ courseId: course.id, access: "both" }] },
  });
  await admin.call(courses.assign, { params: { id: course.id }, body: { companyIds: [company.id] } });
  const opened: Launch[] = [];
  for (let i = 0; i < count; i++) {
    const me = createClient(url);
    const body = { name: `Learner ${i}`, email: `l${i}@example.com`, password: PASSWORD };
    await me.call(auth.register, { body: { ...body, accessCode: company.accessCode } });
    me.useToken((await me.call(auth.signIn, { body })).token);
    opened.push(
      await me.call(player.launch, {
        params: { companyId: company.id, courseId: course.id },
        body: { clientId: `window-${i}` },
      }),
    );
  }
  return opened;
}

import { auth } from "#shared/auth/auth.ts";
import { player, SESSION_HEADER, type SessionEvent } from "#shared/player/player.ts";
import { createClient } from "#test/client.ts";
import { addLearner, expect, type ServerFixture } from "./server.ts";

/** A session of half an hour that began half an hour ago, with the given events. */
export async function addSession(app: ServerFixture, courseId: string, events: (sco: string) => SessionEvent[]) {
  const learner = await addLearner(app, "Jonas Hagen");
  const client = createClient(app.url);
  client.useToken((await client.call(auth.signIn, { body: learner })).token);
  const { sessionId, token, parts } = await client.call(player.launch, {
    params: { companyId: app.company.id, courseId },
    body: { clientId: crypto.randomUUID() },
  });
  await app.query(`update sessions set started_at = now() - interval '31 minutes' where id = '${sessionId}'`);
  const all = events(parts[0]?.sco ?? "");
  for (let from = 0; from < all.length; from += 500) {
    const isLast = from + 500 >= all.length;
    const reply = await fetch(app.url + player.commit.path.replace(":id", sessionId), {
      method: "POST",
      headers: { "content-type": "application/json", [SESSION_HEADER]: token },
      body: JSON.stringify({ events: all.slice(from, from + 500), activeMs: 60_000, ...(isLast && { end: "exit" }) }),
    });
    expect(reply.status).toBe(200);
  }
  return sessionId;
}

import { randomUUID } from "node:crypto";
import { type Launch, player, SESSION_HEADER } from "#shared/player/player.ts";
import type { Statement } from "#shared/statements/xapi.ts";
import type { start } from "#test/start.ts";

type Server = Pick<Awaited<ReturnType<typeof start>>, "as" | "content">;
type Sent = { method?: "GET" | "PUT" | "POST" | "DELETE"; body?: unknown; headers?: Record<string, string> };

const SESSION_ID = "https://w3id.org/xapi/cmi5/context/extensions/sessionid";
const CMI5 = { id: "https://w3id.org/xapi/cmi5/context/categories/cmi5" };
const MOVE_ON = { id: "https://w3id.org/xapi/cmi5/context/categories/moveon" };
export const verbOf = (name: string) => `http://adlnet.gov/expapi/verbs/${name}`;

/** Launches a part of a session. */
export const launchPart = ({ as }: Server, session: Launch, sco: string) =>
  as(null, { [SESSION_HEADER]: session.token })(player.launchActivity, {
    params: { id: session.sessionId },
    body: { sco },
  });

type Document = {
  contextTemplate: { contextActivities: { grouping: { id: string }[] }; extensions: Record<string, string> };
  masteryScore?: number;
  launchMode: string;
};

/** An assignable unit that speaks HTTP as cmi5 says. */
export async function openUnit(server: Server, session: Launch, sco: string, { reads = true } = {}) {
  const { body } = await launchPart(server, session, sco);
  const address = new URL(`http://127.0.0.1:2/${body.href}`);
  const given = (name: string) => address.searchParams.get(name) ?? "";
  const [endpoint, activityId, registration] = [given("endpoint"), given("activityId"), given("registration")];
  const actor = JSON.parse(given("actor")) as Statement["actor"];
  const inject = async (url: string, { method = "GET", body: payload, headers = {} }: Sent = {}) => {
    const reply = await server.content.inject({
      method,
      url: url.slice(new URL(url).origin.length),
      headers: {
        "x-experience-api-version": "1.0.3",
        ...(payload !== undefined && { "content-type": "application/json" }),
        ...headers,
      },
      ...(payload !== undefined && { payload: payload as object }),
    });
    return { status: reply.statusCode, text: reply.body, headers: reply.headers };
  };
  const postFetch = async () => JSON.parse((await inject(given("fetch"), { method: "POST" })).text);
  const auth = given("auth") || `Basic ${(await postFetch())["auth-token"]}`;
  const call = (path: string, query: Record<string, string>, sent: Sent = {}) =>
    inject(`${endpoint}${path}?${new URLSearchParams(query)}`, {
      ...sent,
      headers: { authorization: auth, ...sent.headers },
    });
  const agent = JSON.stringify(actor);
  const state = (stateId: string, sent?: Sent, more: Record<string, string> = {}) =>
    call("activities/state", { stateId, activityId, agent, registration, ...more }, sent);
  const preferences = (sent?: Sent) => call("agents/profile", { profileId: "cmi5LearnerPreferences", agent }, sent);
  const isCmi5 = given("fetch") !== "";
  const document = isCmi5 ? (JSON.parse((await state("LMS.LaunchData")).text) as Document) : null;
  if (isCmi5 && reads) await preferences();

  /** A cmi5 defined statement, or with `allowed` another one. */
  const statement = (verb: string, result?: Statement["result"], change: Partial<Statement> = {}): Statement => {
    const isOutcome = result?.success !== undefined || result?.completion !== undefined;
    const isScored = result?.score !== undefined && document?.masteryScore !== undefined;
    const template = document?.contextTemplate;
    return {
      id: randomUUID(),
      actor,
      verb: { id: verb.includes(":") ? verb : verbOf(verb) },
      object: { id: activityId || given("activity_id") },
      ...(result && { result }),
      context: {
        registration,
        ...(template && {
          contextActivities: { ...template.contextActivities, category: [CMI5, ...(isOutcome ? [MOVE_ON] : [])] },
          extensions: {
            ...template.extensions,
            ...(isScored && {
              "https://w3id.org/xapi/cmi5/context/extensions/masteryscore": document.masteryScore as number,
            }),
          },
        }),
      },
      timestamp: new Date().toISOString(),
      ...change,
    };
  };
  const send = (one: Statement) => call("statements", { statementId: one.id ?? "" }, { method: "PUT", body: one });
  const sendAll = (all: Statement[]) => call("statements", {}, { method: "POST", body: all });
  const duration = "PT1M30S";
  return {
    launchId: document?.contextTemplate.extensions[SESSION_ID] ?? "",
    address,
    actor,
    activityId,
    registration,
    document,
    auth,
    inject,
    postFetch,
    call,
    state,
    preferences,
    statement,
    send,
    sendAll,
    say: (verb: string, result?: Statement["result"], change?: Partial<Statement>) =>
      send(statement(verb, result, change)),
    initialize: () => send(statement("initialized")),
    complete: () => send(statement("completed", { completion: true, duration })),
    pass: (scaled?: number) =>
      send(statement("passed", { success: true, duration, ...(scaled !== undefined && { score: { scaled } }) })),
    fail: (scaled?: number) =>
      send(statement("failed", { success: false, duration, ...(scaled !== undefined && { score: { scaled } }) })),
    terminate: () => send(statement("terminated", { duration })),
  };
}
export type FakeUnit = Awaited<ReturnType<typeof openUnit>>;

import { sql } from "kysely";
import { expect, test, vi } from "vitest";
import { variables } from "#shared/variables/variables.ts";
import { startTalks } from "#test/talks.ts";

const { server, createBot, talk, admin, provider, connector, ask } = await startTalks();
const { as, make, db } = server;
const define = async (key: string, type: "number" | "text") =>
  (
    await as(admin)(variables.create, {
      body: { key, label: key, type, ...(type === "number" && { constraints: { max: 9 } }) },
    })
  ).body.id;
const [mood, team, other] = [
  await define("mood", "number"),
  await define("team", "text"),
  await define("other", "text"),
];
const { learner } = await make.classroom();
const bot = await createBot(admin, { connectorId: connector.id, writeVariableIds: [mood, team] });

test("values from a message are stored together, refused ones with the reason", async () => {
  await sql`create table inserts (at timestamptz default now())`.execute(db);
  await sql`create function count_inserts() returns trigger language plpgsql as
    $$ begin insert into inserts default values; return null; end $$`.execute(db);
  await sql`create trigger count_inserts after insert on variable_values for each statement
    execute function count_inserts()`.execute(db);
  const said = (key: string, value: unknown, confidence = 0.9) => ({ key, value, confidence });
  const values = [
    said("mood", 3),
    said("mood", 30),
    said("team", "Night"),
    said("other", "x"),
    said("team", "Day", 0.2),
  ];
  provider.always({ structured: JSON.stringify({ values }) });
  await ask(await talk(learner, bot), "I am of the night team, and my mood is 3, no, 30.");
  const stored = () =>
    db
      .selectFrom("variableValues")
      .where("userId", "=", learner.user.id)
      .orderBy("id")
      .select(["variableId", "value", "refusal", "source"])
      .execute();
  await vi.waitFor(async () => expect(await stored()).not.toEqual([]), 10_000);
  expect(await stored()).toEqual([
    { variableId: mood, value: 3, refusal: null, source: "chat" },
    { variableId: mood, value: 30, refusal: expect.any(String) as string, source: "chat" },
    { variableId: team, value: "Night", refusal: null, source: "chat" },
  ]);
  expect(other).toBeDefined();
  const { rows } = await sql`select from inserts`.execute(db);
  expect(rows).toHaveLength(1);
});

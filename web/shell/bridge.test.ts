import { expect, test } from "vitest";
import { type BridgeVariable, createBridge } from "#web/shell/bridge.ts";
import { MAX_SESSION_VALUES } from "#shared/variables/variableTypes.ts";

const rating: BridgeVariable = {
  key: "rating",
  type: "number",
  constraints: { min: 1, max: 10 },
  writeMode: "last",
  access: "both",
  status: "active",
  value: 5,
};
/** A bridge with everything that it has recorded and refused. */
function open(declared: Partial<BridgeVariable>[] = [{}], newKeysLeft = 2) {
  const recorded: [string, string][] = [];
  const refused: [string, string][] = [];
  const state = { isStopped: false };
  const opened: (string | null)[] = [];
  const bridge = createBridge(
    { declared: declared.map((variable) => ({ ...rating, ...variable })), newKeysLeft },
    {
      record: (key, value) => recorded.push([key, value]),
      refuse: (key, reason) => refused.push([key, reason]),
      isStopped: () => state.isStopped,
      runPrompt: async (key, input) => ({ isAnswered: true, text: `${key} ${input}`, values: { rating: 9 }, left: 2 }),
      openChat: (chatbotId) => opened.push(chatbotId),
      complete: () => false,
    },
  );
  return { bridge, recorded, refused, opened, state };
}

test("records accepted values, and why others are refused, once per key and reason", () => {
  const { bridge, recorded, refused } = open([
    {},
    { key: "given", access: "read" },
    { key: "old", status: "archived" },
  ]);
  expect([
    bridge.set("rating", 7),
    bridge.set("rating", 70),
    bridge.set("rating", 80),
    bridge.set("rating", "x"),
  ]).toEqual([true, false, false, false]);
  expect([bridge.set("given", 1), bridge.set("old", 1), bridge.set("!", 1)]).toEqual([false, false, false]);
  expect(bridge.get("rating")).toBe(7);
  expect(recorded).toEqual([["rating", "7"]]);
  expect(refused).toEqual([
    ["rating", "aboveMax"],
    ["rating", "notNumber"],
    ["given", "readOnly"],
    ["old", "archived"],
    ["!", "badKey"],
  ]);
});

test("accepts as many new keys and values as a course and a session may have", () => {
  const { bridge, recorded, refused } = open([], 1);
  expect([bridge.set("one", 0), bridge.set("two", 0)]).toEqual([true, false]);
  for (let value = 1; value < MAX_SESSION_VALUES; value++) bridge.set("one", value);
  expect(bridge.set("one", -1)).toBe(false);
  expect(recorded).toHaveLength(MAX_SESSION_VALUES);
  expect(refused).toEqual([
    ["two", "tooManyKeys"],
    ["one", "tooManyValues"],
  ]);
});

test("reads what the write mode makes of several values", () => {
  const { bridge } = open([{ key: "sum", writeMode: "sum", constraints: {} }, { writeMode: "max" }]);
  bridge.setMany({ sum: 2, rating: 3 });
  bridge.setMany({ sum: 2, rating: 9 });
  expect([bridge.get("sum"), bridge.get("rating")]).toEqual([9, 9]);
});

test("notifies listeners of changes only, until they stop, even if another one throws", () => {
  const { bridge, state } = open();
  const heard: unknown[] = [];
  bridge.on("change", () => {
    throw new Error("a fault of a page");
  });
  const stop = bridge.on("change", (change) => heard.push(change));
  bridge.set("rating", 5);
  bridge.set("Rating", 6);
  stop();
  bridge.set("rating", 7);
  expect(heard).toEqual([{ key: "rating", value: 6, previous: 5 }]);
  state.isStopped = true;
  expect([bridge.set("rating", 8), bridge.get("rating")]).toEqual([false, 7]);
});

test("takes over the values of a button prompt without recording them again", async () => {
  const { bridge, recorded } = open();
  const changes: unknown[] = [];
  bridge.on("change", (change) => changes.push(change));
  expect(await bridge.runPrompt("check", "my plan")).toMatchObject({ text: "check my plan", left: 2 });
  expect(bridge.get("rating")).toBe(9);
  expect(changes).toEqual([{ key: "rating", value: 9, previous: 5 }]);
  expect(recorded).toEqual([]);
});

test("opens a chatbot until the session has ended", () => {
  const { bridge, opened, state } = open();
  bridge.openChat();
  bridge.openChat("one");
  state.isStopped = true;
  bridge.openChat();
  expect(opened).toEqual([null, "one"]);
});

import { expect, test } from "vitest";
import { type Frame, frame, open } from "#web/shell/tools/testWindows.ts";

// Changes between two reads, and packages that prevent observing them

const sameObject = () => {
  const values: Record<string, unknown> = { Rating: 0 };
  const player = {
    GetVar: (name: string) => values[name],
    SetVar(this: unknown, name: string, value: unknown) {
      if (value === "refused") throw new Error("refused");
      values[name] = value;
      return [this === player, name, value];
    },
  };
  return frame({ GetPlayer: () => player });
};
const newObjects = () => {
  const values: Record<string, unknown> = { Rating: 0 };
  const GetVar = (name: string) => values[name];
  const SetVar = (name: string, value: unknown) => {
    if (value === "refused") throw new Error("refused");
    values[name] = value;
    return [true, name, value];
  };
  return frame({ GetPlayer: () => ({ GetVar, SetVar }) });
};
type Player = { SetVar: (name: string, value: unknown) => unknown };
const playerOf = (window: Window) => (window as never as { GetPlayer: () => Player }).GetPlayer();

test.each([
  ["one object", sameObject],
  ["a new object for each call", newObjects],
])("records every value that scripts set between two looks, with %s", (_, create) => {
  const window = create();
  const { look, recorded } = open(["storyline[Rating]"], window, { "storyline[Rating]": [0] });
  look();
  expect(playerOf(window).SetVar("Rating", 1)).toEqual([true, "Rating", 1]);
  playerOf(window).SetVar("Rating", 2);
  playerOf(window).SetVar("Other", 3);
  expect(() => playerOf(window).SetVar("Rating", "refused")).toThrow("refused");
  look();
  playerOf(window).SetVar("Rating", 1);
  look();
  expect(recorded.map(([, value]) => value)).toEqual(["1", "2", "1"]);
});

test("records changes that Storyline and Captivate announce", () => {
  const values: Record<string, unknown> = { Rating: 0, Mood: "" };
  const heard: ((...args: unknown[]) => void)[] = [];
  const ofName = new Map<string, () => void>();
  const window = frame({
    GetPlayer: () => ({ GetVar: (name: string) => values[name] }),
    DS: { pubSub: { on: (_: string, listener: () => void) => heard.push(listener) } },
    cpAPIInterface: { getVariableValue: (name: string) => values[name] },
    cpAPIEventEmitter: {
      addEventListener: (_: string, listener: () => void, name: string) => ofName.set(name, listener),
    },
  });
  const { look, recorded } = open(["storyline[Rating]", "captivate[Mood]"], window);
  look();
  look();
  expect([heard.length, [...ofName.keys()]]).toEqual([1, ["Mood"]]);
  for (const rating of [1, 2]) {
    values.Rating = rating;
    heard[0]?.("_player.Rating", rating);
    heard[0]?.(null);
  }
  values.Mood = "calm";
  ofName.get("Mood")?.();
  values.Mood = "";
  look();
  expect(recorded.map(([path, value]) => `${path} ${value}`)).toEqual([
    "storyline[Rating] 1",
    "storyline[Rating] 2",
    'captivate[Mood] "calm"',
    'captivate[Mood] ""',
  ]);
});

test.each<[what: string, content: Frame]>([
  ["a frozen player", { GetPlayer: () => Object.freeze({ GetVar: () => 1, SetVar: () => 2 }) }],
  [
    "a getter that sets",
    (() => {
      const player = { GetVar: (): number => (player.SetVar("a", 1), 1), SetVar: (_: string, value: number) => value };
      return { GetPlayer: () => player };
    })(),
  ],
  [
    "listeners that are refused",
    {
      GetPlayer: () => ({ GetVar: () => 1, SetVar: () => 2 }),
      DS: {
        pubSub: {
          on: () => {
            throw new Error("no");
          },
        },
      },
    },
  ],
])("leaves a package as it is with %s", (_, content) => {
  const window = frame(content);
  const { look, refused } = open(["storyline[a]"], window);
  for (let n = 0; n < 3; n++) look();
  expect(() => playerOf(window).SetVar("a", 5)).not.toThrow();
  expect(refused).toEqual([]);
});

test("reads a variable that changes constantly only at the regular reads", () => {
  const window = sameObject();
  const { look, recorded } = open(["storyline[Rating]"], window, { "storyline[Rating]": [0] });
  look();
  for (let n = 1; n <= 1000; n++) playerOf(window).SetVar("Rating", n);
  look();
  expect(recorded.map(([, value]) => Number(value))).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 1000]);
});

import { expect, test } from "vitest";
import { type Frame, frame, open, storyline } from "#web/shell/tools/testWindows.ts";

// Package windows as documented by the vendors, and as broken by packages

test("records chosen variables when they change, and not what they begin with", () => {
  const values: Record<string, unknown> = { Rating: 0, Other: "a" };
  const { look, recorded } = open(["storyline[Rating]"], frame({}, [storyline(values)]));
  look();
  for (const rating of [7, 7, 3, undefined, 3]) {
    Object.assign(values, { Rating: rating, Other: "b" });
    look();
  }
  expect(recorded).toEqual([
    ["storyline[Rating]", "7"],
    ["storyline[Rating]", "3"],
  ]);
});

test("takes what a reloaded page begins with for no change", () => {
  const values = { Rating: 0 };
  const window = storyline(values);
  const { look, recorded } = open(["storyline[Rating]"], window);
  look();
  values.Rating = 7;
  look();
  Object.assign(window, { document: {} });
  values.Rating = 0;
  look();
  values.Rating = 7;
  look();
  expect(recorded).toEqual([["storyline[Rating]", "7"]]);
});

test("ignores getters that throw, return objects or huge texts, or are cross-origin", () => {
  const broken: Record<string, () => unknown> = {
    Throws: () => {
      throw new Error("not now");
    },
    Object: () => ({ toJSON: () => 1 }),
    Function: () => () => 1,
    Long: () => "x".repeat(10_001),
    NaN: () => Number.NaN,
  };
  const window = frame({ GetPlayer: () => ({ GetVar: (name: string) => broken[name]?.() }) }, [
    new Proxy(
      {},
      {
        get: () => {
          throw new Error("another origin");
        },
      },
    ),
  ]);
  const { look, recorded, refused } = open(
    Object.keys(broken).map((name) => `storyline[${name}]`),
    window,
  );
  look();
  look();
  expect(recorded).toEqual([]);
  expect(refused).toEqual(["Object", "Function", "Long", "NaN"].map((name) => [`storyline[${name}]`, "notReadable"]));
});

test.each([
  [
    "GetPlayer throws",
    {
      GetPlayer: () => {
        throw new Error("no");
      },
    },
  ],
  ["GetPlayer returns nothing", { GetPlayer: () => null }],
  ["GetVar is no function", { GetPlayer: () => ({ GetVar: 1 }) }],
  ["cpAPIInterface is a text", { cpAPIInterface: "x" }],
  [
    "the dispatcher of H5P throws",
    {
      H5P: {
        externalDispatcher: {
          on: () => {
            throw new Error("no");
          },
        },
      },
    },
  ],
  ["H5P is null", { H5P: null }],
])("a package is left alone if %s", (_, content) => {
  const { look, recorded, refused } = open(
    ["storyline[a]", "captivate[a]", "h5p[main].score"],
    frame(content as Frame),
  );
  look();
  expect([recorded, refused]).toEqual([[], []]);
});

test("stops reading a variable that is slow, and only that one", () => {
  let slowReads = 0;
  const values = { Fast: 0 };
  const GetVar = (name: string) => {
    if (name === "Fast") return values.Fast;
    slowReads++;
    for (const end = performance.now() + 60; performance.now() < end;) values.Fast += 0;
    return slowReads;
  };
  const { look, recorded, refused } = open(
    ["storyline[Slow]", "storyline[Fast]"],
    frame({ GetPlayer: () => ({ GetVar }) }),
  );
  for (let n = 0; n < 6; n++) {
    look();
    values.Fast++;
  }
  expect(slowReads).toBe(3);
  expect(refused).toEqual([["storyline[Slow]", "tooSlow"]]);
  expect(recorded.filter(([path]) => path === "storyline[Fast]").map(([, value]) => value)).toEqual([
    "1",
    "2",
    "3",
    "4",
    "5",
  ]);
});

test("records values set before the first read, compared with initial values", () => {
  const initialValues = {
    "storyline[New]": [0],
    "storyline[Same]": ["calm"],
    "storyline[Kept]": [0, 7],
    "storyline[Off]": [false],
  };
  const values: Record<string, unknown> = { New: 5, Same: "calm", Kept: 7, Off: true, Unknown: 5 };
  const paths = [...Object.keys(initialValues), "storyline[Unknown]"];
  const { look, recorded } = open(paths, storyline(values), initialValues);
  look();
  expect(recorded).toEqual([
    ["storyline[New]", "5"],
    ["storyline[Off]", "true"],
  ]);
  Object.assign(values, { Kept: 0, Unknown: 6 });
  look();
  expect(recorded.slice(2)).toEqual([
    ["storyline[Kept]", "0"],
    ["storyline[Unknown]", "6"],
  ]);
});

test("finds the tool of a page soon after it appears", async () => {
  const window = frame({});
  const { recorded } = open(["storyline[Rating]"], window);
  await new Promise((resolve) => setTimeout(resolve, 50));
  const values = { Rating: 0 };
  Object.assign(window, storyline(values), { document: window.document });
  await new Promise((resolve) => setTimeout(resolve, 200));
  values.Rating = 4;
  await expect.poll(() => recorded, { timeout: 2000 }).toEqual([["storyline[Rating]", "4"]]);
});

test("H5P: records the results of chosen content, whatever else is stated", () => {
  const listeners: ((event: unknown) => void)[] = [];
  const H5P = {
    externalDispatcher: { on: (_: string, listener: (event: unknown) => void) => listeners.push(listener) },
  };
  const { look, recorded } = open(["h5p[main].score", "h5p[2f].response"], frame({ H5P }, [frame({ H5P })]));
  look();
  look();
  expect(listeners).toHaveLength(1);
  const state = (result: unknown, subContentId?: string) => {
    const extensions = subContentId ? { "http://h5p.org/x-api/h5p-subContentId": subContentId } : {};
    listeners[0]?.({ data: { statement: { verb: {}, object: { definition: { extensions } }, result } } });
  };
  state(undefined);
  state({ score: { raw: 2, max: 3 }, response: "main" });
  state({ response: "1[,]2", score: { raw: 1 } }, "2f");
  state({ response: "other" }, "3c");
  listeners[0]?.(null);
  listeners[0]?.({
    data: {
      get statement(): never {
        throw new Error("no");
      },
    },
  });
  expect(recorded).toEqual([
    ["h5p[main].score", "2"],
    ["h5p[2f].response", '"1[,]2"'],
  ]);
});

import { expect, test } from "vitest";
import { placeAmong } from "#web/core/toast/toastPlace.ts";

const toast = { width: 348, height: 60, wide: 1440 };
const title = { left: 264, right: 500, top: 84, bottom: 118 };
const buttons = { left: 1150, right: 1404, top: 84, bottom: 120 };

test("top right below the bar, where nothing is; buttons that were scrolled away do not count", () => {
  expect(placeAmong(toast, [], [title])).toEqual({ top: 68, right: 16 });
  expect(placeAmong(toast, [{ ...buttons, top: -40, bottom: -4 }], [])).toEqual({ top: 68, right: 16 });
});

test("beside the buttons of the head; below them when the title needs the room, and on a phone", () => {
  expect(placeAmong(toast, [buttons], [title])).toEqual({ top: 68, right: 302 });
  expect(placeAmong(toast, [buttons], [{ ...title, right: 900 }])).toEqual({ top: 132, right: 16 });
  expect(placeAmong({ ...toast, wide: 390 }, [{ left: 200, right: 374, top: 76, bottom: 112 }], [])).toEqual({
    top: 124,
    right: 16,
  });
  const section = { left: 220, right: 374, top: 150, bottom: 186 };
  expect(placeAmong({ ...toast, wide: 390 }, [{ left: 200, right: 374, top: 76, bottom: 112 }, section], [])).toEqual({
    top: 198,
    right: 16,
  });
});

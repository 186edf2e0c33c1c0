import { expect, test } from "vitest";
import { toastPosition } from "#web/core/toast/toastPosition.ts";

const toast = { width: 348, height: 60, viewportWidth: 1440 };
const title = { left: 264, right: 500, top: 84, bottom: 118 };
const buttons = { left: 1150, right: 1404, top: 84, bottom: 120 };

test("defaults to the top right, ignoring buttons that are scrolled away", () => {
  expect(toastPosition(toast, [], [title])).toEqual({ top: 68, right: 16 });
  expect(toastPosition(toast, [{ ...buttons, top: -40, bottom: -4 }], [])).toEqual({ top: 68, right: 16 });
});

test("moves beside the header buttons, or below them if there is no space", () => {
  expect(toastPosition(toast, [buttons], [title])).toEqual({ top: 68, right: 302 });
  expect(toastPosition(toast, [buttons], [{ ...title, right: 900 }])).toEqual({ top: 132, right: 16 });
  expect(
    toastPosition({ ...toast, viewportWidth: 390 }, [{ left: 200, right: 374, top: 76, bottom: 112 }], []),
  ).toEqual({
    top: 124,
    right: 16,
  });
  const section = { left: 220, right: 374, top: 150, bottom: 186 };
  expect(
    toastPosition({ ...toast, viewportWidth: 390 }, [{ left: 200, right: 374, top: 76, bottom: 112 }, section], []),
  ).toEqual({
    top: 198,
    right: 16,
  });
});

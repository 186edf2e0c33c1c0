import { expect, test } from "vitest";
import { markDifferences } from "#web/chatbots/comparison/markDifferences.ts";

const show = (left: string, right: string) => {
  const found = markDifferences(left, right);
  const text = (pieces: { text: string; isDifferent: boolean }[]) =>
    pieces.map((piece) => (piece.isDifferent ? `<${piece.text}>` : piece.text)).join("");
  return found && [text(found.left), text(found.right)];
};

test.each([
  [
    "You have twenty days of holiday.",
    "You have thirty days of holiday.",
    "You have <twenty> days of holiday.",
    "You have <thirty> days of holiday.",
  ],
  ["The same.", "The  same.", "The same.", "The  same."],
  ["One two three", "Four five six", "<One two three>", "<Four five six>"],
  [
    "No gloves are needed in this hall at all",
    "Wear the gloves that hang in every hall by day",
    "<No gloves are needed in this hall at all>",
    "<Wear the gloves that hang in every hall by day>",
  ],
  ["", "Added", "", "<Added>"],
])("marks the words of %j and %j that differ", (left, right, markedLeft, markedRight) =>
  expect(show(left, right)).toEqual([markedLeft, markedRight]),
);

test("does not compare texts that are too long", () =>
  expect(markDifferences("word ".repeat(3000), "word")).toBeNull());

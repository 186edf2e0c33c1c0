import { expect, test } from "vitest";
import { describeResponse } from "#shared/courses/questions.ts";

const question = { text: "What do you do?", responses: { a: "Call", b: "Wait, then call", c: "Leave" } };

test.each([
  ["b", "choice", "Wait, then call"],
  ["a,c", "choice", "Call; Leave"],
  ["{a,c}", "choice", "Call; Leave"],
  ["a[,]b", "choice", "Call; Wait, then call"],
  ["a,x", "choice", "Call; x"],
  ["f", "true-false", "False"],
  ["12,5", "numeric", "12,5"],
  ["Yes, a", "fill-in", "Yes, a"],
  ["three[,]1:4", "fill-in", "three; 1:4"],
  ["0.9[:]1.1", "numeric", "0.9 to 1.1"],
  ["a[.]c[,]b[.]x", "matching", "Call: Leave; Wait, then call: x"],
  ["{a.c,b.a}", "matching", "Call: Leave; Wait, then call: Call"],
  ["nothing like a pair", "matching", "nothing like a pair"],
])("the response %s of a %s question reads %s", (response, type, words) =>
  expect(describeResponse(response, type, question)).toBe(words),
);

test("a response without known words stays as it was sent", () => {
  expect(describeResponse("p,q", "choice", question)).toBe("p,q");
  expect(describeResponse("a,b", "choice", undefined)).toBe("a,b");
});

import { expect, test } from "vitest";
import { diffLines } from "#web/prompts/diffLines.ts";

const marks = { same: " ", added: "+", removed: "-" };
const show = (before: string, after: string) =>
  diffLines(before, after).map(({ kind, text }) => `${marks[kind]}${text}`);

test.each([
  ["a\nb\nc", "a\nb\nc", [" a", " b", " c"]],
  ["a\nb\nc", "a\nx\nc", [" a", "-b", "+x", " c"]],
  ["a", "a\nb", [" a", "+b"]],
  ["a\nb", "b", ["-a", " b"]],
  ["", "a", ["-", "+a"]],
])("shows what changed from %j to %j", (before, after, lines) => expect(show(before, after)).toEqual(lines));

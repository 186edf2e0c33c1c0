import { expect, test } from "vitest";
import { readFieldFilter } from "#shared/fields/fields.ts";
import { readFieldText } from "#shared/fields/readFieldText.ts";

const read = (kind: "date" | "number" | "text", text: string) => {
  const result = readFieldText({ kind, choices: [] }, text);
  return "value" in result ? result.value : result.fault;
};

test("reads dates of many countries, and none that could be two", () => {
  const dates = ["2026-03-29", "2026-3-9", "2026-03-29T00:00:00.000Z", "29.3.2026", "29/03/2026", "03/29/2026"];
  expect(dates.map((text) => read("date", text))).toEqual([
    "2026-03-29",
    "2026-03-09",
    "2026-03-29",
    "2026-03-29",
    "2026-03-29",
    "2026-03-29",
  ]);
  expect(read("date", "05/05/2026")).toBe("2026-05-05");
  expect(read("date", "03/04/2026")).toBe("unclearDate");
  for (const text of ["31.02.2026", "2026", "29/13/2026", "yesterday", "29.3.26"])
    expect([text, read("date", text)]).toEqual([text, "notADate"]);
});

test("reads numbers of many countries, and none that could be two", () => {
  const numbers = ["12", "-3", "12.5", "12,5", "1,234.5", "1.234,5", "1 234,5", "1’234.50", "1.234.567", "0.125"];
  expect(numbers.map((text) => read("number", text))).toEqual([
    12, -3, 12.5, 12.5, 1234.5, 1234.5, 1234.5, 1234.5, 1_234_567, 0.125,
  ]);
  expect(read("number", "1.234")).toBe("unclearNumber");
  expect(read("number", "1,234")).toBe("unclearNumber");
  for (const text of ["1.2.3", "twelve", "1e5", "--1", "12 %", "9".repeat(20)])
    expect([text, read("number", text)]).toEqual([text, "notANumber"]);
});

test("finds a choice by its name and bounds texts", () => {
  const id = "b6f1e6a6-5c6c-4f43-8f5e-0a5f8a3f4b10";
  const choices = [{ id, name: "Operations" }];
  expect(readFieldText({ kind: "choice", choices }, "operations")).toEqual({ value: id });
  expect(readFieldText({ kind: "choice", choices }, "Sales")).toEqual({ fault: "unknownChoice" });
  expect(read("text", "x".repeat(1001))).toBe("tooLong");
});

test("reads a filter of several fields, and refuses others", () => {
  const id = "b6f1e6a6-5c6c-4f43-8f5e-0a5f8a3f4b10";
  expect(readFieldFilter(`${id}=North+%26+South`)).toEqual([[id, "North & South"]]);
  expect(readFieldFilter("department=North")).toBeNull();
});

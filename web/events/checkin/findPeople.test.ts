import { expect, test } from "vitest";
import { findPeople } from "#web/events/checkin/findPeople.ts";

const person = (name: string, attendedAt: string | null = null) => ({
  name,
  email: `${name[0]}@x.example`,
  company: "Norrvik",
  reference: "AB12",
  attendedAt,
});

test("ignores accents and word order, and lists people not checked in first", () => {
  const people = [person("Åse Lind", "2026-11-26T13:00:00Z"), person("Ase Berg"), person("Per Gynt")];
  expect(findPeople(people, "ase").map(({ name }) => name)).toEqual(["Ase Berg", "Åse Lind"]);
  expect(findPeople(people, "lind norr").map(({ name }) => name)).toEqual(["Åse Lind"]);
  expect(findPeople(people, "ab12")).toHaveLength(3);
});

import { expect, test } from "vitest";
import { checkPeople, formatPerson, parsePeople } from "#web/learners/parsePeople.ts";

const jonas = { name: "Jonas Hagen", email: "jonas@x.com" };
const mia = { name: "Mia Berg", email: "mia@x.com" };

test.each([
  ["Jonas Hagen <jonas@x.com>"],
  ['"Jonas Hagen" <jonas@x.com>'],
  ["Jonas Hagen;jonas@x.com"],
  ["jonas@x.com; Jonas Hagen"],
  ["Jonas Hagen, jonas@x.com"],
  ["Jonas\tHagen\tjonas@x.com"],
  ["jonas@x.com\tJonas Hagen"],
  ["Jonas Hagen jonas@x.com"],
  ["  Jonas Hagen   <jonas@x.com> ; "],
])("one person: %s", (line) => expect(parsePeople(line)).toEqual([jonas]));

test("parses several people in one line", () => {
  expect(parsePeople("Jonas Hagen <jonas@x.com>; Mia Berg <mia@x.com>, ola@x.com")).toEqual([
    jonas,
    mia,
    { name: "", email: "ola@x.com" },
  ]);
  expect(parsePeople("a@x.com, b@x.com c@x.com").map(({ email }) => email)).toEqual(["a@x.com", "b@x.com", "c@x.com"]);
  expect(parsePeople("ola@x.com, Jonas Hagen <jonas@x.com>")).toEqual([{ name: "", email: "ola@x.com" }, jonas]);
});

test("skips the header row of a spreadsheet", () => {
  expect(parsePeople("Name\tEmail\r\nJonas Hagen\tjonas@x.com\r\n\r\nMia Berg\tmia@x.com")).toEqual([jonas, mia]);
  expect(parsePeople("First name;Last name;Email\nJonas;Hagen;jonas@x.com")).toEqual([jonas]);
});

test("gives every row a status", () => {
  const people = parsePeople("jonas@x.com\nJONAS@x.com\nJonas Hagen\njonas@x\n");
  expect(checkPeople(people)).toEqual(["ok", "duplicate", "noAddress", "badAddress"]);
});

test("parses a formatted person back unchanged", () => {
  for (const person of [
    jonas,
    { name: "", email: "a@x.com" },
    { name: "", email: "" },
    { name: "Hagen, Jonas", email: "j@" },
    { name: "", email: "jonas" },
    { name: "Jonas", email: "" },
    { name: "", email: "a b@x" },
  ]) {
    expect(parsePeople(formatPerson(person))).toEqual([person]);
  }
});

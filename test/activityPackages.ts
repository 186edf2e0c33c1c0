import type { Entry } from "#test/packages.ts";

// Packages of cmi5 and xAPI for tests.

const text = (name: string, value: string) => `<${name}><langstring lang="en">${value}</langstring></${name}>`;
export const BASE = "https://example.com/safety";

export type Unit = { id?: string; title?: string; url?: string; more?: string; attributes?: string };

/** An assignable unit; `more` follows its URL. */
export const au = ({ id = "au/one", title = "One", url = "one.html", more = "", attributes = "" }: Unit = {}) =>
  [
    `<au id="${BASE}/${id}" ${attributes}>`,
    text("title", title) + text("description", title),
    `<url>${url}</url>${more}</au>`,
  ].join("");

export const block = (id: string, title: string, inner: string) =>
  `<block id="${BASE}/${id}">${text("title", title)}${text("description", title)}${inner}</block>`;

export const courseStructure = (units: string, before = "") => `<?xml version="1.0" encoding="utf-8"?>
<courseStructure xmlns="https://w3id.org/xapi/profiles/cmi5/v1/CourseStructure.xsd">
<course id="${BASE}"><title><langstring lang="de-DE">Sicherheit</langstring>
<langstring lang="en-US">Safety</langstring></title>${text("description", "About safety")}</course>
${before}${units}</courseStructure>`;

export const page = (name: string, data = "<title>AU</title>"): Entry => ({ name, data });
export const cmi5Package = (units: string, pages: Entry[] = [page("one.html")], before = ""): Entry[] => [
  { name: "cmi5.xml", data: courseStructure(units, before) },
  ...pages,
];

export const tinCanPackage = (
  href = "story.html",
  pages: Entry[] = [page("story.html")],
  id = `${BASE}/story`,
): Entry[] => [
  {
    name: "tincan.xml",
    data: `<?xml version="1.0" encoding="utf-8"?>
<tincan xmlns="http://projecttincan.com/tincan.xsd"><activities>
<activity id="${id}" type="http://adlnet.gov/expapi/activities/course"><name lang="en-US">Story</name>
<description lang="en-US">A story</description><launch lang="en-US">${href}</launch></activity>
<activity id="${id}/slide" type="http://adlnet.gov/expapi/activities/module"><name lang="und">Slide</name></activity>
</activities></tincan>`,
  },
  ...pages,
];

/** The files of a package by their names, for courses of tests. */
export const filesOf = (entries: Entry[]) =>
  Object.fromEntries(entries.map(({ name, data }) => [String(name), String(data ?? "")]));

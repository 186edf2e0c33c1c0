import { limits } from "#server/packages/doctor/limits.ts";

// Reads the tags and scripts of a page in linear time, without building a document or running anything.

/** `offsets`: where the value of each attribute starts. */
export type Tag = { name: string; at: number; attributes: Map<string, string>; offsets: Map<string, number> };
/** `code` is as long as the page: scripts keep their offsets, and everything else is blank. */
export type Markup = { tags: Tag[]; code: string; isWhole: boolean };

const MAX_TAG_CHARS = 20_000;
const MAX_ATTRIBUTES = 60;

export function readMarkup(text: string): Markup {
  const tags: Tag[] = [];
  const scripts: { at: number; code: string }[] = [];
  // Only ASCII: other letters may become longer and move the text after them.
  const lower = text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
  let at = 0;
  while (tags.length < limits.tags) {
    at = text.indexOf("<", at);
    if (at < 0) break;
    if (text.startsWith("<!--", at)) {
      at = indexAfter(text, "-->", at + 4);
      continue;
    }
    const tag = /[a-z]/i.test(text[at + 1] ?? "") ? readTag(text, at) : null;
    if (!tag) {
      at++;
      continue;
    }
    tags.push(tag.tag);
    at = tag.end;
    for (const [name, value] of tag.tag.attributes)
      if (/^on[a-z]/.test(name))
        scripts.push({ at: tag.tag.offsets.get(name) as number, code: `${decodedInPlace(value)};` });
    if (tag.tag.name === "script" || tag.tag.name === "style") {
      const end = indexOf(lower, `</${tag.tag.name}`, at);
      if (tag.tag.name === "script" && isScriptType(tag.tag.attributes.get("type")))
        scripts.push({ at, code: text.slice(at, end) });
      at = end;
    }
  }
  return { tags, code: placeScripts(text, scripts), isWhole: tags.length < limits.tags };
}

const isScriptType = (type = "") => type === "" || /script|module/i.test(type);

const indexOf = (text: string, mark: string, from: number) => {
  const at = text.indexOf(mark, from);
  return at < 0 ? text.length : at;
};
const indexAfter = (text: string, mark: string, from: number) =>
  Math.min(text.length, indexOf(text, mark, from) + mark.length);

function readTag(text: string, at: number) {
  const head = /^<([a-z][\w:-]{0,40})/i.exec(text.slice(at, at + 50));
  if (!head) return null;
  const limit = Math.min(text.length, at + MAX_TAG_CHARS);
  const attributes = new Map<string, string>();
  const offsets = new Map<string, number>();
  let here = at + head[0].length;
  while (here < limit && text[here] !== ">") {
    const rest = text.slice(here, Math.min(limit, here + 100));
    const name = /^[^\s=>/"']{1,60}/.exec(rest)?.[0];
    if (!name) {
      here++;
      continue;
    }
    here += name.length;
    const sign = /^\s{0,20}=\s{0,20}/.exec(text.slice(here, here + 45))?.[0];
    let value = "";
    let valueAt = here;
    if (sign) {
      here += sign.length;
      const quote = text[here];
      valueAt = quote === '"' || quote === "'" ? here + 1 : here;
      if (quote === '"' || quote === "'") {
        const end = Math.min(limit, indexOf(text, quote, here + 1));
        value = text.slice(here + 1, end);
        here = end + 1;
      } else {
        const start = here;
        while (here < limit && !/[\s>]/.test(text[here] as string)) here++;
        value = text.slice(start, here);
      }
    }
    if (attributes.size >= MAX_ATTRIBUTES || attributes.has(name.toLowerCase())) continue;
    attributes.set(name.toLowerCase(), value);
    offsets.set(name.toLowerCase(), valueAt);
  }
  const tag: Tag = { name: (head[1] as string).toLowerCase(), at, attributes, offsets };
  return { tag, end: Math.min(text.length, here + 1) };
}

/** Blank text with the scripts at their offsets. */
function placeScripts(text: string, scripts: { at: number; code: string }[]) {
  const pieces: string[] = [];
  let at = 0;
  for (const script of scripts) {
    if (script.at > at) {
      pieces.push(text.slice(at, script.at).replace(/[^\n]/g, " "));
      at = script.at;
    }
    pieces.push(script.code);
    at += script.code.length;
  }
  return pieces.join("");
}

/** Padded to the old length, so that the offsets stay. */
const decodedInPlace = (value: string) => decodeAttribute(value).padEnd(value.length);

export const decodeAttribute = (value: string) =>
  value.replace(/&(amp|quot|lt|gt|#39|apos);/g, (_, name: string) => entities[name] as string);
const entities: Record<string, string> = { amp: "&", quot: '"', lt: "<", gt: ">", "#39": "'", apos: "'" };

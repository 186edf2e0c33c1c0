// Finds email addresses and phone numbers in a text.

// An address starts where no address character precedes it: without this, the time for a long run of letters grows with
// the square of its length.
const EMAIL = String.raw`(?<![\p{L}\p{N}._%+-])[\p{L}\p{N}._%+-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+`;
// Dates, time spans, decimals and amounts look like phone numbers. None of them continues with a separator and more
// digits, as 06.12.34.56.78 does after what could be a date.
const [DAY, MONTH, YEAR] = ["(?:0?[1-9]|[12]\\d|3[01])", "(?:0?[1-9]|1[0-2])", "(?:1[89]|2[01])\\d\\d"];
const TIME = String.raw`(?:[01]?\d|2[0-4])\.[0-5]\d`;
const PLAIN = [
  String.raw`${YEAR}[./-]${MONTH}[./-]${DAY}(?!\d)`,
  String.raw`(?:${DAY}[./-]${MONTH}|${MONTH}[./-]${DAY})(?:[./-]${YEAR}|[./]\d\d)(?![./]?\d)`,
  String.raw`${TIME} ?- ?${TIME}(?![./-]?\d)`,
  String.raw`0\.\d+(?![./]?\d|-\d(?!\.))`,
  String.raw`[1-9](?:\.\d{3}){3,}(?![./-]?\d)`,
].join("|");
/** Separator between two numbers. A single zero is the extension of a switchboard. */
const BETWEEN = String.raw`[\/-] (?:\(?0\d|\+)`;
const START = String.raw`(?!\(?(?:${PLAIN}))(?:\+|\(?0)?\(?\d`;
const SHAPE = String.raw`${START}(?: (?!${PLAIN}|${BETWEEN})|\.(?! )|[\d()\/-]){5,22}\d(?![\p{L}\p{N}_])`;
// Random ids contain digits that look like phone numbers, so a number must start and end like a word. A number after a
// space may be a separate one.
const PHONE = String.raw`(?<![\p{L}\p{N}_.,-]|\d\/(?!\+))${SHAPE}`;
const CONTACT = new RegExp(`(?<email>${EMAIL})|(?<phone>${PHONE})`, "gu");
const PHONE_HERE = new RegExp(SHAPE, "uy");
const MAX_DIGITS = 15;

/**
 * Possible ends of a phone number that starts with this text, longest first: after each group of digits. Numbers with a
 * leading + or 0 have at least seven digits; others four pairs, as in some countries, or three groups with ten digits
 * in total.
 */
function endsOfPhone(text: string) {
  const isLeading = /^\(?[+0]/.test(text);
  const ends: number[] = [];
  let [digits, groups, arePairs] = [0, 0, true];
  for (const { 0: group, index } of text.matchAll(/\d+/g)) {
    if (index !== groups * 3 || group.length !== 2 || (index > 0 && text[index - 1] !== ".")) arePairs = false;
    digits += group.length;
    groups++;
    if (digits > MAX_DIGITS) break;
    const isPhone = isLeading ? digits >= 7 : (arePairs && groups >= 4) || (digits >= 10 && groups >= 3);
    if (isPhone) ends.unshift(index + group.length);
  }
  return ends;
}

/** The text from a position that has the shape of a phone number, regardless of what precedes it. */
function shapeAt(text: string, at: number) {
  const shape = new RegExp(PHONE_HERE);
  shape.lastIndex = at;
  return shape.exec(text)?.[0];
}

/**
 * The end of the phone number at the start of `found`. If two numbers follow each other, it is before the second: at a
 * + or 0, if possible after a space. `next` is the start of the second.
 */
function endOfPhone(text: string, found: string, at: number) {
  const ends = endsOfPhone(found);
  const behind = text.slice(at + found.length, at + found.length + 4);
  if (ends[0] === found.length && !/^[ .()/-]{1,3}\d/.test(behind)) return { end: found.length, next: null };
  const followed = ends.flatMap((end) => {
    const gap = /^[^\d(+]{0,4}/.exec(text.slice(at + end, at + end + 4))?.[0] ?? "";
    const next = at + end + gap.length;
    const other = shapeAt(text, next);
    return other && endsOfPhone(other).length > 0
      ? [{ end, next, isApart: gap.includes(" "), isLeading: /^\(?[+0]/.test(other) }]
      : [];
  });
  const best =
    followed.find(({ isApart, isLeading }) => isApart && isLeading) ??
    followed.find(({ isLeading }) => isLeading) ??
    followed.find(({ isApart }) => isApart) ??
    followed[0];
  return best ?? (ends[0] === undefined ? null : { end: ends[0], next: null });
}

/** Yields the email addresses and phone numbers of a text. */
export function* findContacts(text: string) {
  const contact = new RegExp(CONTACT);
  for (let match = contact.exec(text); match; match = contact.exec(text)) {
    let { 0: found, index: at } = match;
    if (match.groups?.phone === undefined) {
      yield { kind: "Email" as const, found, at };
      continue;
    }
    for (;;) {
      const phone = endOfPhone(text, found, at);
      if (!phone) {
        // The first digits may be a separate number.
        contact.lastIndex = at + (/^\D*\d+/.exec(found)?.[0] ?? " ").length;
        break;
      }
      yield { kind: "Phone" as const, found: found.slice(0, phone.end), at };
      contact.lastIndex = at + phone.end;
      if (phone.next === null) break;
      at = phone.next;
      found = shapeAt(text, at) ?? "";
    }
  }
}

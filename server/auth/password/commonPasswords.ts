/** Most signs around a common word with which a password still counts as common, as in `Sunshine2024!`. */
const MAX_ADDED_CHARS = 6;
/** A password with fewer different characters is as easy to guess as a common one. */
const MIN_DIFFERENT_CHARS = 4;

let list: Promise<Set<string>> | undefined;

/** The 49,000 most frequent passwords of known breaches, in lower case; loaded when first needed. */
const loadList = () =>
  (list ??= import("@zxcvbn-ts/language-common").then(({ dictionary }) => new Set(dictionary["passwords-common"])));

/** True for a password that attackers try first: in the list, or a word of the list with a few digits or signs around it. */
export async function isCommonPassword(password: string): Promise<boolean> {
  const text = password.normalize("NFKC").toLowerCase();
  if (new Set(text).size < MIN_DIFFERENT_CHARS) return true;
  const common = await loadList();
  const word = text.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, "");
  return common.has(text) || (text.length - word.length <= MAX_ADDED_CHARS && common.has(word));
}

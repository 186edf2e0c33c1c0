// Finds forms of hidden texts (textForms.ts) in folded text, with one look-up per word.

/** Between two words of a form: nothing, or a few characters, escapes and entities. */
const GAP = /(?:[^\p{L}\p{N}%&]|%[0-9a-f]{2}|&#?\w{1,8};|[%&]){0,6}/uy;
const ALPHANUMERIC = /[\p{L}\p{N}]/u;
/** Scripts without spaces between words, or with endings that are attached to a name. */
const SCRIPTS = ["Han", "Hiragana", "Katakana", "Hangul", "Thai", "Lao", "Khmer", "Myanmar"];
const UNSPACED = new RegExp(`[${SCRIPTS.map((script) => String.raw`\p{Script=${script}}`).join("")}]`, "u");
const isAsciiAlphanumeric = (code: number) => (code > 47 && code < 58) || (code > 96 && code < 123);

/** True if a word continues from one position of a folded text to the next. */
export function isWithinWord(text: string, at: number) {
  if (at <= 0 || at >= text.length) return false;
  const [before, after] = [text.charCodeAt(at - 1), text.charCodeAt(at)];
  if (before < 128 && after < 128) return isAsciiAlphanumeric(before) && isAsciiAlphanumeric(after);
  const [left, right] = [text.charAt(at - 1), text.charAt(at)];
  return ALPHANUMERIC.test(left) && ALPHANUMERIC.test(right) && !UNSPACED.test(left) && !UNSPACED.test(right);
}

type Form = { form: string; words: string[] };
/** The end of a form that begins at a position of a folded text; -1 if it is not there. */
function matchForm(text: string, at: number, words: string[]) {
  let end = at;
  for (let i = 0; i < words.length; i++) {
    const word = words[i] as string;
    if (i > 0) {
      // Usually a single space.
      if (text.charCodeAt(end) === 32 && text.startsWith(word, end + 1)) {
        end += 1 + word.length;
        continue;
      }
      GAP.lastIndex = end;
      GAP.test(text);
      end = GAP.lastIndex;
    }
    if (!text.startsWith(word, end)) return -1;
    end += word.length;
  }
  return end;
}

const keyOf = (text: string, at: number) => text.charCodeAt(at) * 65_536 + (text.charCodeAt(at + 1) || 0);

/** Forms by their first two characters; those whose first word is a single character by that one. */
export class FormIndex {
  #byKey = new Map<number, Form[]>();
  size = 0;

  add(form: string) {
    const first = form.indexOf(" ") === 1 || form.length === 1 ? form.charCodeAt(0) : keyOf(form, 0);
    const list = this.#byKey.get(first);
    const one = { form, words: form.split(" ") };
    if (list) list.push(one);
    else this.#byKey.set(first, [one]);
    this.size++;
  }

  /** The end of the longest accepted form that begins at a position; -1 if there is none. */
  find(text: string, at: number, accept: (form: string, end: number) => boolean) {
    let longest = -1;
    for (const list of [this.#byKey.get(keyOf(text, at)), this.#byKey.get(text.charCodeAt(at))])
      for (const { form, words } of list ?? []) {
        const end = matchForm(text, at, words);
        if (end > longest && accept(form, end)) longest = end;
      }
    return longest;
  }
}

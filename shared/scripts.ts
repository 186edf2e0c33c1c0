/** Scripts that put no spaces between words: what stands in the brackets of a regular expression with the flag `u`. */
export const UNSPACED_SCRIPTS = [
  "\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}",
  "\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}",
].join("");

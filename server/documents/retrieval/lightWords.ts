import stopwords from "stopwords-iso" with { type: "json" };

const listsByLanguage = stopwords as Record<string, string[]>;
const setsByLanguage = new Map<string, Set<string>>();

/** Whether a word of a language (ISO 639-1) says little about a subject: a stop word, or one like “many” or “best”. */
export function isLightWord(language: string, word: string) {
  let words = setsByLanguage.get(language);
  if (!words) setsByLanguage.set(language, (words = new Set(listsByLanguage[language])));
  return words.has(word);
}

// The words of messages, and the function words among them, which say nothing about the subject

const MAX_FUNCTION_LETTERS = 3;
/** Frequent words of more than three letters, by language (ISO 639-1); Norwegian and Danish share theirs. */
const longWords = {
  en: `about after also because been before being could does from have here into just like more much must only other
    over should some such than that their them then there these they this those through very want were what when
    where which while will with would your`,
  de: `aber alle auch beim dann dass denn dein diese dieser doch eine einem einen einer haben hier ihre kann mein mehr
    mich nach nicht noch oder schon sehr sein sich sind soll ueber und unter wann warum weil wenn werden wird wie
    wieder wurde zwischen`,
  fr: `avec cette comme dans donc elle elles entre etre leur mais meme nous plus pour pourquoi quand quel quelle sans
    sont sous tout tous vous`,
  es: `como cuando cual desde donde esta estas este esto para pero porque puede quien sobre tambien todo una unos`,
  no: `alle andre bare blir denne dere deres dette eller etter fordi hadde hans hennes hvem hver hvor hvordan ikke inn
    kan mange mellom noe noen`,
  sv: `eller fran hade hans inte kanske man mellan mycket nagon nar och ocksa sedan sina skulle till under utan vara
    vilken`,
};
/** Frequent words of two and three letters, by which the language of a short question is recognised. */
const shortWords: Record<keyof typeof longWords, string> = {
  en: `the how can who why our you are was has did its it is do my of to in on at we me may be by for not and or an if
    no any i'm`,
  de: `der die das ich wo wer was ist bin ein mir wir uns den dem des mit von fuer auf zu es sie er hat im am als bei
    aus`,
  fr: "le la les un une des du je tu il est ou qui que mon ma mes on se au par sur ne pas ai et en y ce",
  es: "el la los las un de del yo mi mis que con por es son hay se si no al le me y en",
  no: "jeg vi er en et det som pa for av til med om hva nar min mitt meg deg seg og de du har",
  sv: "jag vi ar en ett det som pa for av med om vad min mitt mig dig sig och de du har",
};
const listOf = (text: string) => text.split(/\s+/);
const functionWords = new Set(listOf(Object.values(longWords).join(" ")));
/** A word as in the lists: without accents. */
const plain = (word: string) => word.normalize("NFKD").replace(/\p{M}/gu, "");
/**
 * Whether a word says nothing about a subject: it has at most three letters in Latin script, or is one of the frequent
 * words of six languages.
 */
export const isFunctionWord = (word: string) =>
  (/^\p{Script=Latin}+$/u.test(word) && word.length <= MAX_FUNCTION_LETTERS) || functionWords.has(plain(word));

const languages = (Object.keys(longWords) as (keyof typeof longWords)[]).map((language) => ({
  language,
  frequentWords: new Set(listOf(`${longWords[language]} ${shortWords[language]}`)),
}));
/** The first characters of a text, by which its language is recognised. */
const READ_CHARS = 1000;
/**
 * The language of a text by its frequent words, null if it has none. Deterministic, and sure of questions of three
 * words, unlike statistical detectors, which need more text.
 */
export function tellLanguage(text: string) {
  const words = wordsOf(text.slice(0, READ_CHARS)).map(plain);
  const counted = languages.map(({ language, frequentWords }) => ({
    language,
    count: words.filter((word) => frequentWords.has(word)).length,
  }));
  const best = counted.reduce((most, one) => (one.count > most.count ? one : most));
  return best.count > 0 ? best.language : null;
}
/** The language of a text; English for one without a frequent word. */
export const languageOf = (text: string) => tellLanguage(text) ?? "en";

/** The words of a text in lower case, without single characters. */
export const wordsOf = (text: string) =>
  text
    .toLowerCase()
    .normalize("NFKC")
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter((word) => word.length > 1);

// Words of what people write, and those among them that say nothing about its subject

const MAX_FUNCTION_LETTERS = 3;
const functionWords = new Set(
  `about after also because been before being could does from have here into just like more much must only other over should
  some such than that their them then there these they this those through very want were what when where which while will with would your
  aber alle auch beim dann dass denn dein diese dieser doch eine einem einen einer haben hier ihre kann mein mehr mich nach nicht noch oder
  schon sehr sein sich sind soll ueber und unter wann warum weil wenn werden wird wie wieder wurde zwischen
  avec cette comme dans donc elle elles entre etre leur mais meme nous plus pour pourquoi quand quel quelle sans sont sous tout tous vous
  como cuando cual desde donde esta estas este esto para pero porque puede quien sobre tambien todo una unos
  alle andre bare blir denne dere deres dette eller etter fordi hadde hans hennes hvem hver hvor hvordan ikke inn kan mange mellom noe noen
  etter eller fran hade hans inte kanske man mellan mycket nagon nar och ocksa sedan sina skulle till under utan vara vilken`.split(
    /\s+/,
  ),
);
/** True for words that say nothing about a subject: those of three letters or fewer in Latin script, and the frequent ones of six languages. */
export const isFunctionWord = (word: string) =>
  (/^\p{Script=Latin}+$/u.test(word) && word.length <= MAX_FUNCTION_LETTERS) ||
  functionWords.has(word.normalize("NFKD").replace(/\p{M}/gu, ""));

/** The words of a text in small letters, without single characters. */
export const wordsOf = (text: string) =>
  text
    .toLowerCase()
    .normalize("NFKC")
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter((word) => word.length > 1);

/**
 * Sentences that people use as passphrases and attackers try: the one of xkcd 936, and lines of books, films, songs
 * and prayers that were found in breached lists of long passwords (K. Chanda, "Password Security: An Analysis of
 * Password Strengths and Vulnerabilities", 2016; J. Bonneau and E. Shutova, "Linguistic properties of multi-word
 * passphrases", 2012).
 */
const PHRASES = [
  "correct horse battery staple",
  "the quick brown fox jumps over the lazy dog",
  "to be or not to be that is the question",
  "may the force be with you",
  "i am your father",
  "open sesame",
  "let me in please",
  "lorem ipsum dolor sit amet consectetur",
  "all your base are belong to us",
  "i love you so much",
  "i will always love you",
  "winter is coming",
  "live long and prosper",
  "one ring to rule them all",
  "my precious",
  "hello world",
  "this is my password",
  "this is a secure password",
  "my password is secret",
  "you shall not pass",
  "in the beginning god created the heaven and the earth",
  "in the beginning was the word",
  "the lord is my shepherd",
  "our father who art in heaven",
  "jesus is lord",
  "god is love",
  "god bless america",
  "we the people of the united states",
  "i have a dream",
  "i think therefore i am",
  "four score and seven years ago",
  "it was the best of times it was the worst of times",
  "call me ishmael",
  "once upon a time",
  "happily ever after",
  "carpe diem",
  "hakuna matata",
  "veni vidi vici",
  "memento mori",
  "never gonna give you up",
  "dont stop believing",
  "stairway to heaven",
  "hotel california",
  "bohemian rhapsody",
  "smells like teen spirit",
  "mary had a little lamb",
  "twinkle twinkle little star",
  "humpty dumpty sat on a wall",
  "no place like home",
  "elementary my dear watson",
  "houston we have a problem",
  "life is like a box of chocolates",
  "to infinity and beyond",
  "the answer is forty two",
  "do or do not there is no try",
  "sein oder nichtsein",
  "ich bin ein berliner",
  "alle meine entchen",
  "ich liebe dich",
  "franz jagt im komplett verwahrlosten taxi quer durch bayern",
  "je t aime",
  "je pense donc je suis",
  "allons enfants de la patrie",
  "portez ce vieux whisky",
  "te quiero mucho",
  "en un lugar de la mancha",
  "padre nuestro que estas en el cielo",
];

/** Parts of a phrase with at least this many letters are guessed as early as the whole phrase. */
const MIN_LETTERS = 8;

/** Every run of two words or more, without spaces. */
export const phraseParts = () =>
  PHRASES.flatMap((phrase) => {
    const words = phrase.split(" ");
    return words
      .flatMap((_, from) => words.slice(from + 1).map((_, more) => words.slice(from, from + more + 2).join("")))
      .filter((part) => part.length >= MIN_LETTERS);
  });

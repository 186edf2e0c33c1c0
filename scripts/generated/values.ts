// Values of generated rows. Every value is a function of the seed and of numbers that identify the row, so that any
// part can be generated again, and in any order.

/**
 * A function of numbers: an integer from 0 to 2³² − 1 that looks random (the finaliser of MurmurHash3 over all keys).
 */
export function hashOf(...keys: number[]) {
  let hash = 0x9e3779b9;
  for (const key of keys) {
    hash = Math.imul(hash ^ key, 0x85ebca6b);
    hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
    hash ^= hash >>> 16;
  }
  return hash >>> 0;
}
/** The same from 0 (included) to 1. */
export const unitOf = (...keys: number[]) => hashOf(...keys) / 2 ** 32;
export const pick = <T>(values: readonly T[], ...keys: number[]) => values[hashOf(...keys) % values.length] as T;

const hex = (number: number) => number.toString(16).padStart(8, "0");
/** A random-looking UUID of version 4 for row `n` of a kind. */
export function idOf(seed: number, kind: number, n: number) {
  const text = [1, 2, 3].map((part) => hex(hashOf(seed, kind, n, part))).join("");
  return `${text.slice(0, 8)}-${text.slice(8, 12)}-4${text.slice(13, 16)}-8${text.slice(17, 20)}-${text.slice(20, 24)}${hex(n)}`;
}

const firstNames =
  "Anna Ben Clara David Elif Finn Greta Hugo Ida Jonas Karin Leon Mia Noah Olivia Paul Quinn Rosa Samir Tove Ulla Viktor Wanda Xenia Yusuf Zoe Amir Birgit Carlos Dilan Emma Farid Gitte Hanna Ivan Julia Kofi Lars Maria Nils Oskar Petra Rania Sven Tara Ugo Vera Willem Yara Zane".split(
    " ",
  );
const lastNames =
  "Andersen Bauer Costa Dubois Eriksen Fischer Garcia Hansen Ivanov Jensen Keller Lindholm Moreau Nowak Olsen Petrov Quist Rossi Schmidt Thomsen Ulrich Vogel Weber Xu Yilmaz Zimmer Almeida Berg Cohen Dahl Engel Ferrari Gruber Holm Ito Jung Kaya Lange Meyer Novak Okafor Patel Richter Silva Tanaka Urban Virtanen Wagner Young Zeller".split(
    " ",
  );
export const personName = (seed: number, n: number) =>
  `${pick(firstNames, seed, 11, n)} ${pick(lastNames, seed, 12, n)}`;

const trades = "Energy Maritime Foods Logistics Health Systems Robotics Textiles Chemicals Media Partners Rail".split(
  " ",
);
export const companyName = (seed: number, n: number) =>
  `${pick(lastNames, seed, 21, n)} ${pick(trades, seed, 22, n)} ${n + 1}`;

const topics =
  "Fire safety|First aid|Data protection|Working at heights|Information security|Conflict at work|Lifting and carrying|Anti-bribery|Food hygiene|Machine safety".split(
    "|",
  );
const audiences = "for everyone|for managers|for night shifts|for new staff|in the warehouse|in the office".split("|");
export const courseTitle = (n: number) =>
  `${topics[n % topics.length]} ${audiences[Math.floor(n / topics.length) % audiences.length]}`;

// Rules for new passwords (NIST SP 800-63B, 3.1.1): length matters more than character classes

export const MIN_PASSWORD_CHARS = 8;
/** Names and words below this length are no hint. */
const MIN_TERM_CHARS = 3;
/** A password that adds fewer letters than this to the person's own name or address is easy to guess. */
const MIN_OWN_LETTERS = 4;

export type PasswordOwner = { name: string; email: string };

/** True for a new password that is weak as far as the browser can tell; the server also refuses common and breached ones. */
export const isWeakPassword = (password: string, owner: PasswordOwner) =>
  password.length < MIN_PASSWORD_CHARS || isPersonal(password, owner);

/** True if the password is the name or email address of the person, or parts of them, with digits, signs or few letters added. */
function isPersonal(password: string, { name, email }: PasswordOwner) {
  const terms = [name, email, ...name.split(/\s+/), ...email.split(/[@.+_-]/)]
    .map(lettersOf)
    .filter((term) => term.length >= MIN_TERM_CHARS)
    .toSorted((a, b) => b.length - a.length);
  const letters = lettersOf(password);
  const rest = terms.reduce((left, term) => left.replaceAll(term, ""), letters);
  return rest.length < letters.length && rest.length < MIN_OWN_LETTERS;
}

const lettersOf = (text: string) =>
  text
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^\p{L}]/gu, "");

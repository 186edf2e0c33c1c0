import { createHmac } from "node:crypto";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { ModelMessage } from "#server/connectors/gatewayCall.ts";
import { findContacts } from "#server/connectors/contacts.ts";
import { findNames, indexNames, type Names } from "#server/connectors/nameIndex.ts";
import type { ModelEvent } from "#server/connectors/protocols/protocol.ts";

// Replaces names, email addresses and phone numbers by placeholders such as PersonK3X9Q2 before a provider reads them,
// and restores them in its answer. A placeholder is derived from the masked text and the conversation: the same in
// every turn, different in other conversations.

/** Without P and E, the first letters of placeholders, so that no code contains the start of another placeholder. */
const CODE_ALPHABET = "ABCDFGHJKMNQRSTVWXYZ23456789";
const CODE_LENGTH = 6;
type Kind = "Person" | "Email" | "Phone";

const NOTE =
  "Words such as PersonK3X9Q2, EmailK3X9Q2 and PhoneK3X9Q2 stand for names and addresses. Use them unchanged.";
export type Mask = ReturnType<typeof createMask>;

/** `names`: all names to mask; `ownName`: that of the writer; `seed`: a secret of the conversation. */
export function createMask({ names, ownName, seed }: { names: Names[]; ownName: string | null; seed: string }) {
  const ownIndex = indexNames(ownName ? [ownName] : []);
  /** The original text by placeholder, in capitals, because answers may change the case. */
  const originals = new Map<string, string>();

  function placeholderOf(kind: Kind, original: string) {
    for (let round = 0; ; round++) {
      const hash = createHmac("sha256", seed).update(`${kind} ${round} ${original}`).digest();
      const code = Array.from(hash.subarray(0, CODE_LENGTH), (byte) => CODE_ALPHABET[byte % CODE_ALPHABET.length]);
      const placeholder = `${kind}${code.join("")}`;
      const known = originals.get(placeholder.toUpperCase());
      if (known !== undefined && known !== original) continue;
      originals.set(placeholder.toUpperCase(), original);
      return placeholder;
    }
  }
  function maskNames(text: string, isOwnText: boolean) {
    let masked = "";
    let done = 0;
    findNames({ own: ownIndex, all: [ownIndex, ...names] }, text, isOwnText, (from, to) => {
      masked += text.slice(done, from) + placeholderOf("Person", text.slice(from, to));
      done = to;
    });
    return masked + text.slice(done);
  }
  function mask(text: string, isOwnText: boolean) {
    let masked = "";
    let done = 0;
    for (const { kind, found, at } of findContacts(text)) {
      masked += maskNames(text.slice(done, at), isOwnText);
      masked += placeholderOf(kind, found);
      done = at + found.length;
    }
    return masked + maskNames(text.slice(done), isOwnText);
  }
  const pattern = () => new RegExp([...originals.keys()].join("|"), "gi");
  /** `isJson`: restored texts are escaped for JSON strings. */
  function unmask(text: string, isJson: boolean) {
    if (originals.size === 0) return text;
    return text.replace(pattern(), (placeholder) => {
      const original = originals.get(placeholder.toUpperCase()) ?? placeholder;
      return isJson ? JSON.stringify(original).slice(1, -1) : original;
    });
  }
  /** The position from which the text may be the start of a placeholder. */
  function endOfWhole(text: string) {
    const longest = Math.min(text.length, "Person".length + CODE_LENGTH - 1);
    for (let length = longest; length > 0; length--) {
      const end = text.slice(-length).toUpperCase();
      if (originals.keys().some((placeholder) => placeholder.startsWith(end))) return text.length - length;
    }
    return text.length;
  }
  return {
    /** Yields to other work between the texts. */
    async texts(texts: string[]) {
      const masked: string[] = [];
      for (const text of texts) {
        if (masked.length > 0) await nextTurn();
        masked.push(mask(text, true));
      }
      return masked;
    },
    messages(messages: ModelMessage[]): ModelMessage[] {
      const masked = messages.map(({ role, content }) => ({ role, content: mask(content, role === "user") }));
      return originals.size === 0 ? masked : [{ role: "system", content: NOTE }, ...masked];
    },
    /** Restores the original texts in a stream, even if a placeholder arrives in pieces. */
    async *unmask(stream: AsyncIterable<ModelEvent>, isJson: boolean): AsyncGenerator<ModelEvent> {
      let held = "";
      const release = function* (upTo: number): Generator<ModelEvent> {
        const text = unmask(held.slice(0, upTo), isJson);
        held = held.slice(upTo);
        if (text !== "") yield { type: "text", text };
      };
      try {
        for await (const event of stream) {
          if (event.type === "text") {
            held += event.text;
            yield* release(endOfWhole(held));
          } else if (event.type === "usage") yield event;
          else {
            yield* release(held.length);
            yield event;
          }
        }
      } catch (error) {
        yield* release(held.length);
        throw error;
      }
      yield* release(held.length);
    },
  };
}

// Bytes that come as text (spec section 5): as they are, base64, base64url, or a data URL

/** How text carries bytes: `raw` is UTF-8. */
export type TextFormat = "raw" | "base64" | "base64url" | "data_url";

export type EncodingFault = "badDataUrl" | "badMediaType" | "badPercent" | "mixed" | "badLetter" | "badLength";
/** Text that is not what it says it is; `message` is a sentence for people, `fault` says which rule it broke. */
export class EncodingError extends Error {
  fault: EncodingFault;

  constructor(fault: EncodingFault, message: string) {
    super(message);
    this.name = "EncodingError";
    this.fault = fault;
  }
}

export type Decoded = {
  bytes: Uint8Array<ArrayBuffer>;
  /** Media type that a data URL named; null without one. */ type: string | null;
};

/** The bytes of a text. Throws `EncodingError` when the text breaks the rules of its format. */
export function decodeText(text: string, format: TextFormat): Decoded {
  if (format === "raw") return { bytes: new TextEncoder().encode(text), type: null };
  if (format === "data_url") return decodeDataUrl(text);
  return { bytes: decodeBase64(text, format), type: null };
}

const letters = { base64: "+/", base64url: "-_" } as const;
const other = { base64: "base64url", base64url: "base64" } as const;

/** Bytes of base64 (letters `+ /`) or base64url (letters `- _`), with or without `=` at the end; never both alphabets. */
export function decodeBase64(text: string, format: "base64" | "base64url"): Uint8Array<ArrayBuffer> {
  const foreign = [...letters[other[format]]].find((letter) => text.includes(letter));
  if (foreign)
    throw new EncodingError("mixed", `The text has “${foreign}”, which belongs to ${other[format]}, not to ${format}.`);
  const bare = text.replace(/={1,2}$/, "");
  const wrong = /[^A-Za-z0-9+/_-]/.exec(bare);
  if (wrong)
    throw new EncodingError(
      "badLetter",
      `The text is not ${format}: letter ${wrong.index + 1} is not one of its letters.`,
    );
  const padded = bare.length !== text.length;
  if (bare.length % 4 === 1 || (padded && text.length % 4 !== 0))
    throw new EncodingError("badLength", `The text is not ${format}: its end is missing.`);
  const plain = format === "base64" ? bare : bare.replaceAll("-", "+").replaceAll("_", "/");
  return Uint8Array.from(atob(plain), (letter) => letter.charCodeAt(0));
}

const MEDIA_TYPE = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(;[\w!#$&^.+-]+=("[^"]*"|[^;"]*))*$/;

/** `data:[mediatype][;base64],data`: after the comma base64, or text with percent signs. */
function decodeDataUrl(text: string): Decoded {
  const parts = /^data:([^,]*),([\s\S]*)$/i.exec(text);
  if (!parts) throw new EncodingError("badDataUrl", "A data URL has the form data:[mediatype][;base64],data.");
  const [, head = "", data = ""] = parts;
  const coded = /;base64$/i.test(head);
  const type = coded ? head.slice(0, -7) : head;
  if (type !== "" && !MEDIA_TYPE.test(type))
    throw new EncodingError(
      "badMediaType",
      `“${type.slice(0, 80)}” is not a media type. A data URL has the form data:[mediatype][;base64],data.`,
    );
  return {
    bytes: coded
      ? decodeBase64(data.includes("%") ? new TextDecoder().decode(unescaped(data)) : data, "base64")
      : unescaped(data),
    type: type || null,
  };
}

/** `%C3%BC` becomes two bytes; everything else is UTF-8. */
function unescaped(text: string) {
  if (/%(?![0-9a-f]{2})/i.test(text))
    throw new EncodingError("badPercent", "The data URL has a percent sign without two hexadecimal digits after it.");
  const coded = new TextEncoder().encode(text);
  const bytes = new Uint8Array(coded.length);
  let length = 0;
  for (let at = 0; at < coded.length; at++) {
    const percent = coded[at] === 37;
    bytes[length++] = percent
      ? Number.parseInt(String.fromCharCode(coded[at + 1] ?? 0, coded[at + 2] ?? 0), 16)
      : (coded[at] ?? 0);
    if (percent) at += 2;
  }
  return bytes.slice(0, length);
}

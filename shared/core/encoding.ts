// Bytes encoded as text: UTF-8, base64, base64url (RFC 4648), or a data URL (RFC 2397)

/** How a text encodes bytes; `raw` is UTF-8. */
export type TextFormat = "raw" | "base64" | "base64url" | "data_url";

export type EncodingErrorCode = "badDataUrl" | "badMediaType" | "badPercent" | "mixed" | "badCharacter" | "badLength";
/** The text is not valid in its format. `message` is a sentence for people, `code` the violated rule. */
export class EncodingError extends Error {
  code: EncodingErrorCode;

  constructor(code: EncodingErrorCode, message: string) {
    super(message);
    this.name = "EncodingError";
    this.code = code;
  }
}

export type Decoded = {
  bytes: Uint8Array<ArrayBuffer>;
  /** Media type of a data URL; null without one. */
  type: string | null;
};

/** The bytes of a text. Throws `EncodingError` if the text is not valid in its format. */
export function decodeText(text: string, format: TextFormat): Decoded {
  if (format === "raw") return { bytes: new TextEncoder().encode(text), type: null };
  if (format === "data_url") return decodeDataUrl(text);
  return { bytes: decodeBase64(text, format), type: null };
}

const specialCharacters = { base64: "+/", base64url: "-_" } as const;
const otherFormat = { base64: "base64url", base64url: "base64" } as const;

/** Decodes base64 (`+` and `/`) or base64url (`-` and `_`), with or without padding. Mixing both alphabets throws. */
export function decodeBase64(text: string, format: "base64" | "base64url"): Uint8Array<ArrayBuffer> {
  const foreignCharacter = [...specialCharacters[otherFormat[format]]].find((character) => text.includes(character));
  if (foreignCharacter)
    throw new EncodingError(
      "mixed",
      `The text has “${foreignCharacter}”, which belongs to ${otherFormat[format]}, not to ${format}.`,
    );
  const unpadded = text.replace(/={1,2}$/, "");
  const invalid = /[^A-Za-z0-9+/_-]/.exec(unpadded);
  if (invalid)
    throw new EncodingError("badCharacter", `The text is not ${format}: character ${invalid.index + 1} is not valid.`);
  const isPadded = unpadded.length !== text.length;
  if (unpadded.length % 4 === 1 || (isPadded && text.length % 4 !== 0))
    throw new EncodingError("badLength", `The text is not ${format}: it is incomplete.`);
  const standard = format === "base64" ? unpadded : unpadded.replaceAll("-", "+").replaceAll("_", "/");
  return Uint8Array.from(atob(standard), (character) => character.charCodeAt(0));
}

const MEDIA_TYPE = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(;[\w!#$&^.+-]+=("[^"]*"|[^;"]*))*$/;

/** Decodes `data:[mediatype][;base64],data`; the data is base64 or percent-encoded text. */
function decodeDataUrl(text: string): Decoded {
  const parts = /^data:([^,]*),([\s\S]*)$/i.exec(text);
  if (!parts) throw new EncodingError("badDataUrl", "A data URL has the form data:[mediatype][;base64],data.");
  const [, head = "", data = ""] = parts;
  const isBase64 = /;base64$/i.test(head);
  const type = isBase64 ? head.slice(0, -7) : head;
  if (type !== "" && !MEDIA_TYPE.test(type))
    throw new EncodingError(
      "badMediaType",
      `“${type.slice(0, 80)}” is not a media type. A data URL has the form data:[mediatype][;base64],data.`,
    );
  return {
    bytes: isBase64
      ? decodeBase64(data.includes("%") ? new TextDecoder().decode(percentDecoded(data)) : data, "base64")
      : percentDecoded(data),
    type: type || null,
  };
}

/** Decodes percent-encoding to bytes: `%C3%BC` becomes two bytes; other characters are UTF-8. */
function percentDecoded(text: string) {
  if (/%(?![0-9a-f]{2})/i.test(text))
    throw new EncodingError("badPercent", "The data URL has a percent sign without two hexadecimal digits after it.");
  const encoded = new TextEncoder().encode(text);
  const bytes = new Uint8Array(encoded.length);
  let length = 0;
  for (let index = 0; index < encoded.length; index++) {
    const isPercent = encoded[index] === 37;
    bytes[length++] = isPercent
      ? Number.parseInt(String.fromCharCode(encoded[index + 1] ?? 0, encoded[index + 2] ?? 0), 16)
      : (encoded[index] ?? 0);
    if (isPercent) index += 2;
  }
  return bytes.slice(0, length);
}

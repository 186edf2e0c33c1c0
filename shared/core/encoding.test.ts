import { expect, test } from "vitest";
import { decodeBase64, decodeText, EncodingError } from "#shared/core/encoding.ts";

const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
const codeOf = (run: () => unknown) => {
  try {
    run();
    return null;
  } catch (error) {
    return (error as EncodingError).code;
  }
};

test("raw text is UTF-8", () => {
  expect([...decodeText("ü€", "raw").bytes]).toEqual([0xc3, 0xbc, 0xe2, 0x82, 0xac]);
  expect(decodeText("", "raw").bytes.length).toBe(0);
});

test("decodes every byte in both alphabets, with and without padding", () => {
  const all = Uint8Array.from({ length: 259 }, (_, n) => (n * 7) % 256);
  for (let length = 0; length < all.length; length++) {
    const bytes = all.subarray(0, length);
    const coded = Buffer.from(bytes).toString("base64");
    expect([...decodeBase64(coded, "base64")]).toEqual([...bytes]);
    expect([...decodeBase64(coded.replaceAll("=", ""), "base64")]).toEqual([...bytes]);
    const url = coded.replaceAll("+", "-").replaceAll("/", "_");
    expect([...decodeBase64(url, "base64url")]).toEqual([...bytes]);
    expect([...decodeText(url.replaceAll("=", ""), "base64url").bytes]).toEqual([...bytes]);
  }
});

test("rejects a mixture of the two alphabets", () => {
  expect(codeOf(() => decodeText("ab-_", "base64"))).toBe("mixed");
  expect(codeOf(() => decodeText("ab+/", "base64url"))).toBe("mixed");
  expect(codeOf(() => decodeText("a+_/", "base64"))).toBe("mixed");
  expect(codeOf(() => decodeText("data:;base64,ab-_", "data_url"))).toBe("mixed");
  expect(() => decodeText("ab-_", "base64")).toThrow("The text has “-”, which belongs to base64url, not to base64.");
});

test.each(["a b=", "ab=c", "=", "ab\n==", "äbcd"])("rejects %j, which is not base64", (wrong) => {
  expect(codeOf(() => decodeText(wrong, "base64"))).toMatch(/badCharacter|badLength/);
});
test.each(["a", "abcde", "abc==", "ab="])("rejects %j, which is truncated", (short) => {
  expect(codeOf(() => decodeText(short, "base64"))).toBe("badLength");
});

test.each<[string, string | null, string]>([
  ["data:,Hello%2C%20World", null, "Hello, World"],
  ["data:text/plain;base64,SGVsbG8=", "text/plain", "Hello"],
  ["data:;base64,SGVsbG8", null, "Hello"],
  ["data:;base64,SGVsbG8%3D", null, "Hello"],
  ["data:text/plain;charset=utf-8,%C3%BC", "text/plain;charset=utf-8", "ü"],
  ["DATA:image/svg+xml;BASE64,PHN2Zy8+", "image/svg+xml", "<svg/>"],
  ["data:text/plain,a,b\nc", "text/plain", "a,b\nc"],
  ["data:text/plain;base64,", "text/plain", ""],
])("%s", (address, type, words) => {
  const decoded = decodeText(address, "data_url");
  expect([decoded.type, text(decoded.bytes)]).toEqual([type, words]);
});

test("decodes a percent escape to any byte", () => {
  expect([...decodeText("data:application/x,%FF%00a", "data_url").bytes]).toEqual([255, 0, 97]);
});

test.each([
  ["Hello", "badDataUrl"],
  ["data:text/plain", "badDataUrl"],
  ["http://x.io/,a", "badDataUrl"],
  ["", "badDataUrl"],
  [" data:,a", "badDataUrl"],
  ["data:base64,SGVsbG8=", "badMediaType"],
  ["data:;base64;charset=utf-8,a", "badMediaType"],
  ["data:text/,a", "badMediaType"],
  ["data:<b>/<i>,a", "badMediaType"],
  ["data:,100%", "badPercent"],
  ["data:,a%f", "badPercent"],
  ["data:;base64,SGVsbG8*", "badCharacter"],
])("rejects %s: %s", (address, code) => {
  expect(codeOf(() => decodeText(address, "data_url"))).toBe(code);
});

import { isDataImage } from "#web/shell/recording/dataImages.ts";

// Addresses in style sheets and attributes. `map` returns the address to use, or an empty text for one that is dropped.

type MapUrl = (url: string) => string;

const CSS_URL = /url\(\s*(?:"([^"]*)"|'([^']*)'|([^"')\s][^)]*))\s*\)/gi;
const CSS_IMPORT = /@import\b[^;{}]*;?/gi;
const QUOTED = /"[^"]*"|'[^']*'/g;

/** Escapes of ASCII letters, which can hide `url` and `import` (CSS Syntax 4.3.7). */
const ESCAPED_LETTER = /\\0{0,4}([46][1-9a-f]|[57][0-9a])\s?/gi;
const IMAGE_SET = /image-set\s*\(/gi;

/**
 * A style sheet or value with its addresses mapped. Imports and image sets are dropped, because it is unknown what they
 * loaded.
 */
export const mapCssUrls = (css: string, map: MapUrl) =>
  css
    .replace(ESCAPED_LETTER, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replace(CSS_IMPORT, "")
    .replace(IMAGE_SET, "none(")
    .replace(CSS_URL, (_, double?: string, single?: string, bare?: string) => {
      const url = map((double ?? single ?? bare ?? "").trim());
      return `url("${url.replace(/["\\\n]/g, encodeURIComponent)}")`;
    });

/** Applies `change` to the texts in a style sheet, which `content` and custom properties can show. */
export const mapCssTexts = (css: string, change: (text: string) => string) =>
  css.replace(QUOTED, (quoted) => {
    const quote = quoted.slice(0, 1);
    // Masking would break a picture.
    if (isDataImage(quoted.slice(1, -1))) return quoted;
    return quote + change(quoted.slice(1, -1)) + quote;
  });

/** The candidates of a `srcset` with mapped addresses (HTML, "parsing a srcset attribute"). */
export const mapSrcset = (text: string, map: MapUrl) =>
  text
    .split(/,\s+|,$/)
    .flatMap((candidate) => {
      const [url = "", size = ""] = candidate.trim().split(/\s+/);
      const mapped = url && map(url);
      return mapped ? [`${mapped} ${size}`.trim()] : [];
    })
    .join(", ");

/** A parsed address; null if it is none. */
export function parseUrl(url: string, base: string | URL) {
  try {
    return new URL(url, base);
  } catch {
    return null;
  }
}

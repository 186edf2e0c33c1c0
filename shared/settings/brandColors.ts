// The shades of a brand colour on which text stays readable, and colours that look like errors

/** Channels 0 to 255 of `#rrggbb`. */
export const channels = (hex: string) =>
  [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)) as [number, number, number];

const toHex = (rgb: number[]) =>
  "#" +
  rgb
    .map((c) =>
      Math.round(Math.min(255, Math.max(0, c)))
        .toString(16)
        .padStart(2, "0"),
    )
    .join("");

/** Relative luminance, 0 to 1 (WCAG 2.2, "relative luminance"). */
export function luminance(hex: string) {
  const [r, g, b] = channels(hex).map((c) => {
    const s = c / 255;
    return s <= 0.04045 ? s / 12.92 : ((s + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** Contrast ratio of two colours, 1 to 21 (WCAG 2.2, "contrast ratio"). */
export function contrast(a: string, b: string) {
  const [hi, lo] = [luminance(a), luminance(b)].toSorted((x, y) => y - x) as [number, number];
  return (hi + 0.05) / (lo + 0.05);
}

/** Mixes two colours; `share` (0 to 1) is the part of `a`. */
export function mix(a: string, b: string, share: number) {
  const [x, y] = [channels(a), channels(b)];
  return toHex(x.map((c, i) => c * share + y[i as 0 | 1 | 2] * (1 - share)));
}

const WHITE = "#ffffff";
/** Page background in light mode, behind the sheet; links also appear on it. */
const GROUND = "#f1f4f3";
const BLACK = "#000000";
/** Sheet background in dark mode. */
const DARK_SHEET = "#161f1e";

const scale = (color: string) => [
  ...[0.06, 0.14, 0.32, 0.52, 0.7, 0.84, 0.93].map((share) => mix(color, WHITE, share)),
  color,
  mix(color, BLACK, 0.8),
  mix(color, BLACK, 0.62),
];

/** Lightens or darkens a colour in the smallest steps until it is right; keeps hue and saturation. */
function adjust(color: string, isRight: (color: string) => boolean, towards: string) {
  let adjusted = color;
  for (let step = 1; step <= 200 && !isRight(adjusted); step++) adjusted = mix(color, towards, 1 - step / 200);
  return adjusted;
}

/**
 * The shades that replace the theme colour `aegean` for a company, each as near to the chosen colour as the contrast
 * ratios of WCAG 2.2 allow. `light` (shade 7: buttons and progress in light mode) is darkened until it has 4.5 against
 * white text; `dark` (shade 5: the same in dark mode) until it has that and 3 against the dark sheet. The links are
 * moved until they have 4.5 against the page: `lightLink`, and `darkLink` (shade 3).
 */
export function brandShades(color: string) {
  const light = adjust(color, (c) => contrast(WHITE, c) >= 4.5, BLACK);
  const lightLink = adjust(light, (c) => contrast(GROUND, c) >= 4.5, BLACK);
  const dark = adjust(light, (c) => contrast(DARK_SHEET, c) >= 3, WHITE);
  const darkLink = adjust(color, (c) => contrast(DARK_SHEET, c) >= 4.5, WHITE);
  const shades = scale(light);
  shades[3] = darkLink;
  shades[5] = dark;
  // For hovered buttons; has at least the contrast of the button itself.
  shades[6] = mix(dark, BLACK, 0.92);
  return { shades, light, lightLink, dark, darkLink };
}

/** Hue in degrees, 0 to 360; null for greys. */
export function hue(hex: string) {
  const [r, g, b] = channels(hex);
  const [max, min] = [Math.max(r, g, b), Math.min(r, g, b)];
  if (max === min) return null;
  const d = max - min;
  const sextant = () => {
    if (max === r) return ((g - b) / d) % 6;
    return max === g ? (b - r) / d + 2 : (r - g) / d + 4;
  };
  return (sextant() * 60 + 360) % 360;
}

/**
 * Error colour (`--mantine-color-error`), and the hue distance in degrees within which a colour looks like an error.
 */
const ERROR_RED = "#b03a26";
const ERROR_HUE_RANGE = 20;
/** Minimum distance between the largest and smallest channel; below it a colour is a brown or grey. */
const MIN_CHROMA = 48;

/**
 * True for reds that could be mistaken for an error around a field. Buttons and links have such a colour like any
 * other; only the focus ring has the colour of the text instead.
 */
export function readsAsError(color: string) {
  const angle = hue(color);
  if (angle === null || Math.max(...channels(color)) - Math.min(...channels(color)) < MIN_CHROMA) return false;
  return Math.abs(((angle - (hue(ERROR_RED) as number) + 540) % 360) - 180) <= ERROR_HUE_RANGE;
}

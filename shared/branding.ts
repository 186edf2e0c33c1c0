import { z } from "zod";

/** A colour as `#rrggbb`. */
export const hexColor = z
  .string()
  .regex(/^#[0-9a-fA-F]{6}$/, { error: "companies.badColor" })
  .transform((c) => c.toLowerCase());

/** The few facts that paint a company: name, its colour (null = Lyceum's own) and the address of its logo. */
export const brand = z.object({ name: z.string(), color: z.string().nullable(), logo: z.string().nullable() });
export type Brand = z.infer<typeof brand>;

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

/** `share` (0 to 1) of `a` over `b`. */
export function mix(a: string, b: string, share: number) {
  const [x, y] = [channels(a), channels(b)];
  return toHex(x.map((c, i) => c * share + y[i as 0 | 1 | 2] * (1 - share)));
}

const WHITE = "#ffffff";
/** What lies around the sheet in light mode: links stand on it too. */
const GROUND = "#f1f4f3";
const BLACK = "#000000";
/** The sheet in dark mode (visual identity, section 3). */
const DARK_SHEET = "#161f1e";

const scale = (color: string) => [
  ...[0.06, 0.14, 0.32, 0.52, 0.7, 0.84, 0.93].map((share) => mix(color, WHITE, share)),
  color,
  mix(color, BLACK, 0.8),
  mix(color, BLACK, 0.62),
];

/**
 * The ten shades that replace `aegean` for a company (visual identity, "Company branding"). Shade 7 is darkened until
 * white text on it reaches 4.5, and it as a link on the ground; shade 5, the filled colour in dark mode, is moved until it reads on the dark sheet (3)
 * and carries white text (4.5); shade 3, the link there, until it reads too. `adjusted` tells whether shade 7 had to leave the colour that was asked for.
 */
export function brandShades(color: string): { shades: string[]; adjusted: boolean } {
  let base = color;
  while (contrast(GROUND, base) < 4.5) base = mix(base, BLACK, 0.98);
  const shades = scale(base);
  let five = shades[5] as string;
  for (let i = 0; i < 200 && contrast(WHITE, five) < 4.5; i++) five = mix(five, BLACK, 0.98);
  for (let i = 0; i < 200 && contrast(five, DARK_SHEET) < 3; i++) five = mix(five, WHITE, 0.98);
  shades[5] = five;
  let three = shades[3] as string;
  for (let i = 0; i < 200 && contrast(three, DARK_SHEET) < 4.5; i++) three = mix(three, WHITE, 0.98);
  shades[3] = three;
  return { shades, adjusted: base !== color };
}

/** Hue in degrees, 0 to 360; null for greys. */
export function hue(hex: string) {
  const [r, g, b] = channels(hex);
  const [max, min] = [Math.max(r, g, b), Math.min(r, g, b)];
  if (max === min) return null;
  const d = max - min;
  const h = max === r ? ((g - b) / d) % 6 : max === g ? (b - r) / d + 2 : (r - g) / d + 4;
  return (h * 60 + 360) % 360;
}

/** The red of errors (visual identity, `--mantine-color-error`), and how many degrees beside its hue a colour still reads as one. */
const ERROR_RED = "#b03a26";
const ERROR_HUE_RANGE = 20;
/** Below this distance of its channels a colour is brown or grey, and alarms nobody. */
const MIN_CHROMA = 48;

/**
 * True for reds that people would take for an error. Such a colour stays on the mark of its company, on posters and in mails, but
 * buttons, links and focus rings keep the default accent.
 */
export function readsAsError(color: string) {
  const angle = hue(color);
  if (angle === null || Math.max(...channels(color)) - Math.min(...channels(color)) < MIN_CHROMA) return false;
  return Math.abs(((angle - (hue(ERROR_RED) as number) + 540) % 360) - 180) <= ERROR_HUE_RANGE;
}

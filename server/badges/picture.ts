import { LRUCache } from "lru-cache";
import { encodePicture } from "#server/badges/png.ts";

// The picture of a badge: an arch with a sun, on a field in the colour of the company

const SIZE = 400;
const LIGHT = [255, 255, 255];
const DARK = [18, 33, 29];
const SUN = [242, 177, 52];
/** The colour of academies without one of their own. */
const TEAL = "#10545e";

type Colour = number[];
/** The distance of a point to the edge of a shape in pixels, negative inside. */
type Shape = (x: number, y: number) => number;

const box =
  (left: number, top: number, right: number, bottom: number, radius: number): Shape =>
  (x, y) => {
    const dx = Math.max(left - x, x - right) + radius;
    const dy = Math.max(top - y, y - bottom) + radius;
    return Math.hypot(Math.max(dx, 0), Math.max(dy, 0)) + Math.min(Math.max(dx, dy), 0) - radius;
  };
const circle =
  (centreX: number, centreY: number, radius: number): Shape =>
  (x, y) =>
    Math.hypot(x - centreX, y - centreY) - radius;
const arch = (centre: number, top: number, bottom: number, radius: number): Shape => {
  const [round, below] = [
    circle(centre, top + radius, radius),
    box(centre - radius, top + radius, centre + radius, bottom, 0),
  ];
  return (x, y) => Math.min(round(x, y), below(x, y));
};

const field = box(8, 8, SIZE - 8, SIZE - 8, 72);
const layers = (ground: Colour, light: Colour): [Shape, Colour][] => [
  [field, ground],
  [arch(SIZE / 2, 72, 328, 104), light],
  [arch(SIZE / 2, 116, 328, 64), ground],
  [circle(SIZE / 2, 196, 34), isNear(ground, SUN) ? light : SUN],
];

const readColour = (hex: string): Colour => [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));
/** Whether white is hard to see on it (luma of BT.709). */
const isLight = ([red = 0, green = 0, blue = 0]: Colour) => 0.2126 * red + 0.7152 * green + 0.0722 * blue > 160;

/** Whether two colours are hard to tell apart. */
const isNear = (one: Colour, other: Colour) => Math.hypot(...one.map((value, at) => value - other[at]!)) < 70;

/** Encoded pictures by colour; each has about 8 kB. */
const pictures = new LRUCache<string, Buffer>({ max: 200 });

/** The picture for a colour such as `#10545e`, as `pngWithText` takes it. */
export function badgePicture(color: string | null): Buffer {
  const hex = color && /^#[0-9a-f]{6}$/i.test(color) ? color.toLowerCase() : TEAL;
  const known = pictures.get(hex);
  if (known) return known;
  const made = encodePicture({ size: SIZE, pixels: draw(readColour(hex)) });
  pictures.set(hex, made);
  return made;
}

function draw(ground: Colour) {
  const pixels = Buffer.alloc(SIZE * SIZE * 4);
  const shapes = layers(ground, isLight(ground) ? DARK : LIGHT);
  for (let y = 0; y < SIZE; y++)
    for (let x = 0; x < SIZE; x++) {
      const at = (y * SIZE + x) * 4;
      for (const [shape, colour] of shapes) {
        const cover = Math.min(1, Math.max(0, 0.5 - shape(x + 0.5, y + 0.5)));
        for (let n = 0; n < 3; n++)
          pixels[at + n] = Math.round(mix(pixels[at + n]!, colour[n]!, shape === field ? 1 : cover));
        if (shape === field) pixels[at + 3] = Math.round(cover * 255);
      }
    }
  return pixels;
}

const mix = (under: number, over: number, cover: number) => under + (over - under) * cover;

import type { DesignContent } from "#shared/certificates/designs.ts";

// The picture at the side of a certificate: nested arches with a way to the light, in the colour of the issuer

export type Shape = { path: string; fill: string };
export const DEFAULT_COLOR = "#0f5661";
const SUN = "#f2b72e";
const WAY = "#c9a23b";

/** A colour between two, in `share` of the second. */
export function mix(from: string, to: string, share: number) {
  const channels = (hex: string) => [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));
  const end = channels(to);
  return `#${channels(from)
    .map((value, n) => Math.round(value + ((end[n] as number) - value) * share))
    .map((value) => value.toString(16).padStart(2, "0"))
    .join("")}`;
}

const arch = (center: number, width: number, top: number, bottom: number) => {
  const r = width / 2;
  return `M${center - r} ${bottom}V${top + r}A${r} ${r} 0 0 1 ${center + r} ${top + r}V${bottom}Z`;
};
const circle = (x: number, y: number, r: number) =>
  `M${x - r} ${y}A${r} ${r} 0 1 1 ${x + r} ${y}A${r} ${r} 0 1 1 ${x - r} ${y}Z`;

export function sideShapes(
  side: DesignContent["side"],
  color: string,
  { x, y, width, height }: { x: number; y: number; width: number; height: number },
): Shape[] {
  if (side === "none") return [];
  const bottom = y + height;
  const ground = { path: `M${x} ${y}H${x + width}V${bottom}H${x}Z`, fill: mix(color, "#000000", 0.42) };
  if (side === "band") return [{ ...ground, fill: color }];
  const center = x + width / 2;
  const at = (share: number) => y + height * share;
  const steps = [
    { width: 0.92, top: 0.17, fill: mix(color, "#000000", 0.2) },
    { width: 0.71, top: 0.265, fill: color },
    { width: 0.51, top: 0.35, fill: mix(color, "#ffffff", 0.16) },
    { width: 0.35, top: 0.435, fill: mix(color, "#ffffff", 0.52) },
    { width: 0.215, top: 0.515, fill: mix(color, "#ffffff", 0.84) },
  ];
  const [from, to] = [center - width * 0.1075, center + width * 0.1075];
  const half = width * 0.055;
  return [
    ground,
    ...steps.map((step) => ({ path: arch(center, width * step.width, at(step.top), bottom), fill: step.fill })),
    { path: circle(center, at(0.607), width * 0.054), fill: SUN },
    {
      path: `M${from} ${at(0.725)}Q${center} ${at(0.695)} ${to} ${at(0.725)}V${bottom}H${from}Z`,
      fill: mix(color, "#ffffff", 0.16),
    },
    {
      path: `M${center - half} ${at(0.84)}H${center + half}L${center + 3.5 * half} ${bottom}H${center - 3.5 * half}Z`,
      fill: WAY,
    },
  ];
}

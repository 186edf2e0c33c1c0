import type { ReactNode } from "react";
import classes from "#web/core/brand/art.module.css";

type Palette = [dark: string, middle: string, light: string, sun: string];
const SUN = "#F2B72E";
const palettes: Palette[] = [
  ["#0F5763", "#2F7F8A", "#B0D3D6", SUN],
  ["#293F2A", "#558D30", "#DCEBD0", SUN],
  ["#1C3E61", "#3F79B3", "#D9E7F4", SUN],
  ["#5A2A1C", "#B5583F", "#F3D9CF", SUN],
  ["#2A3633", "#5F6D69", "#E0E6E4", SUN],
  ["#50350B", "#B97A08", "#FCEBC0", "#DA6650"],
];

/** FNV-1a: the same code always gives the same picture. */
function hash(text: string) {
  let h = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) h = Math.imul(h ^ byte, 0x01000193) >>> 0;
  h = Math.imul(h ^ (h >>> 15), 0x85ebca6b) >>> 0;
  return (h ^ (h >>> 13)) >>> 0;
}

type Props = {
  /** Code of the course or slug of the event, from which the picture is generated. */
  code: string;
  /** 56 × 36 px for tables; otherwise the cover fills its container (ratio 320 × 150). */
  tile?: boolean;
};

/** The generated picture of a course: one of four motifs in one of six palettes. */
export function Cover({ code, tile }: Props) {
  const h = hash(code);
  const renderMotif = motifs[h % 4] as Motif;
  const palette = palettes[(h >>> 4) % 6] as Palette;
  return (
    <svg
      className={tile ? classes.tile : classes.cover}
      viewBox="0 0 320 150"
      preserveAspectRatio="xMidYMid slice"
      aria-hidden
    >
      {renderMotif(palette, (h >>> 8) % 4, `cover-${h}`)}
    </svg>
  );
}

type Motif = (palette: Palette, position: number, id: string) => ReactNode;

const arch = (x: number, width: number, top: number, bottom: number) => {
  const r = width / 2;
  return `M${x} ${bottom}V${top + r}a${r} ${r} 0 0 1 ${width} 0V${bottom}z`;
};

const arcade: Motif = ([dark, middle, light, sun], position, id) => (
  <>
    <path fill={dark} d="M0 0h320v150H0z" />
    <clipPath id={id}>
      {[0, 1, 2, 3].map((at) => (
        <path key={at} d={arch(13 + at * 80, 54, 30, 125)} />
      ))}
    </clipPath>
    <g clipPath={`url(#${id})`}>
      <path fill={light} d="M0 0h320v150H0z" />
      <circle cx={40 + position * 80} cy="74" r="17" fill={sun} />
      <path
        fill={middle}
        d="M0 104C26 92 50 86 68 87 112 88 146 108 180 106 214 103 240 75 282 75 300 75 310 79 320 84V150H0z"
      />
    </g>
  </>
);

const colonnade: Motif = ([dark, middle, light, sun], position) => (
  <>
    <path fill={light} d="M0 0h320v150H0z" />
    <circle cx={81 + position * 45.4} cy="63" r="24" fill={sun} opacity=".85" />
    {[0, 1, 2, 3, 4, 5, 6].map((at) => {
      const x = 13.8 + at * 45.4;
      return (
        <g key={at} fill={at % 2 ? middle : dark}>
          <rect x={x - 5} y="37" width="30" height="8" rx="2" />
          <rect x={x} y="40" width="20" height="96" />
        </g>
      );
    })}
    <path fill={dark} d="M0 24h320v13H0zM0 135h320v15H0z" />
  </>
);

const steps: Motif = ([dark, middle, light, sun], position) => (
  <>
    <path fill={light} d="M0 0h320v150H0z" />
    <circle cx={70 + position * 12} cy={52 - position * 4} r="22" fill={sun} />
    {[0, 1, 2, 3, 4].map((at) => {
      const top = 121 - at * 13.2;
      return <path key={at} fill={at % 2 ? dark : middle} d={`M${53 + at * 31.6} 150V${top}h32V150z`} />;
    })}
    <path fill={middle} d="M0 134h54v16H0z" />
    <path fill={dark} d="M211 150V55h109v95z" />
    <path fill={dark} d={arch(248, 46, 10, 56)} />
    <path fill={sun} d={arch(256, 30, 19, 55)} />
  </>
);

const nestedArches: Motif = ([dark, middle, light, sun]) => (
  <>
    <path fill={dark} d="M0 0h320v150H0z" />
    <path fill={middle} opacity=".4" d={arch(60, 200, 12, 141)} />
    <path fill={middle} d={arch(89, 142, 37, 141)} />
    <path fill={light} d={arch(118, 84, 61, 141)} />
    <path fill={sun} d={arch(147, 26, 84, 141)} />
  </>
);

const motifs: Motif[] = [arcade, colonnade, steps, nestedArches];

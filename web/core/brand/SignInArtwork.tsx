import classes from "#web/core/brand/art.module.css";

/** Nested arches from outside to inside: left edge, right edge, top, colour. */
const arches: [left: number, right: number, top: number, color: string][] = [
  [40, 680, 60, "#0A3C46"],
  [87, 643, 115, "#0D4954"],
  [134, 607, 170, "#115A66"],
  [180, 570, 225, "#1A6874"],
  [227, 533, 280, "#2F7F8A"],
  [273, 497, 335, "#6FADB5"],
  [320, 460, 390, "#B0D3D6"],
];

/** The illustration beside the login form. Fills its container; cropped at the sides first. */
export function SignInArtwork() {
  return (
    <svg className={classes.vault} viewBox="0 0 720 900" preserveAspectRatio="xMidYMax slice" aria-hidden>
      <path fill="#08343D" d="M0 0h720v900H0z" />
      {arches.map(([left, right, top, color]) => {
        const r = (right - left) / 2;
        return <path key={top} fill={color} d={`M${left} 900V${top + r}a${r} ${r} 0 0 1 ${2 * r} 0V900z`} />;
      })}
      <circle cx="404" cy="560" r="46" fill="#F2B72E" />
      <path
        fill="#2F7F8A"
        d="M320 660C343 645 356 638 373 638 400 638 420 654 440 654 450 654 456 652 460 649V712H320z"
      />
      <path fill="#08343D" d="M320 712H460L643 900H93z" />
      <path fill="#1A6874" d="M341 712H438L530 900H197z" />
      <path fill="#F2B72E" opacity=".8" d="M366 712H420L458 900H301z" />
    </svg>
  );
}

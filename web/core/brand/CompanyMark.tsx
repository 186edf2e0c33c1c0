import { initials } from "#web/core/format/format.ts";
import classes from "#web/core/brand/marks.module.css";
import { contrast } from "#shared/branding.ts";

const INK = "#15201e";
const AEGEAN = "#0f5763";

type Props = { name: string; color?: string | null; logo?: string | null; size?: number };

/** A square with the company's own colour, and its logo or initials in ink or white, whichever is stronger. */
export function CompanyMark({ name, color, logo, size = 30 }: Props) {
  const ground = color ?? AEGEAN;
  const ink = contrast(ground, INK) > contrast(ground, "#ffffff") ? INK : "#fff";
  const box = { width: size, height: size, borderRadius: size < 44 ? 6 : 7 };
  if (logo) return <img alt="" src={logo} className={classes.logo} style={box} />;
  return (
    <span
      aria-hidden
      className={classes.company}
      style={{ ...box, background: ground, color: ink, fontSize: Math.max(10, size * 0.38) }}
    >
      {initials(name)}
    </span>
  );
}

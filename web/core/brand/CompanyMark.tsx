import { initials } from "#web/core/format/format.ts";
import classes from "#web/core/brand/marks.module.css";
import { contrast } from "#shared/settings/brandColors.ts";

const INK = "#15201e";
const AEGEAN = "#0f5763";

type Props = { name: string; color?: string | null; logo?: string | null; size?: number };

/** A square in the company's colour with its logo, or its initials in black or white, whichever has more contrast. */
export function CompanyMark({ name, color, logo, size = 30 }: Props) {
  const background = color ?? AEGEAN;
  const ink = contrast(background, INK) > contrast(background, "#ffffff") ? INK : "#fff";
  const box = { width: size, height: size, borderRadius: size < 44 ? 6 : 7 };
  if (logo) return <img alt="" src={logo} className={classes.logo} style={box} />;
  return (
    <span
      aria-hidden
      className={classes.company}
      style={{ ...box, background, color: ink, fontSize: Math.max(10, size * 0.38) }}
    >
      {initials(name)}
    </span>
  );
}

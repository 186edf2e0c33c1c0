import { initials } from "#web/core/format/format.ts";
import classes from "#web/core/brand/marks.module.css";

/** A circle with the initials of a person. */
export function PersonMark({ name, size = 32 }: { name: string; size?: number }) {
  return (
    <span
      aria-hidden
      className={classes.person}
      style={{ width: size, height: size, fontSize: Math.max(10, size * 0.38) }}
    >
      {initials(name)}
    </span>
  );
}

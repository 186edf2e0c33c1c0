import { useAcademyName } from "#web/core/academy/academy.ts";
import classes from "#web/core/brand/Logo.module.css";

type Props = { size?: number; word?: boolean; onDark?: boolean };

/** The logo, with the name of the academy unless `word` is false. `size` is the height of the symbol in px. */
export function Logo({ size = 24, word = true, onDark = false }: Props) {
  const name = useAcademyName();
  return (
    <span className={classes.logo} data-on-dark={onDark || undefined} style={{ gap: size * 0.34 }}>
      <svg
        width={size}
        height={size}
        viewBox="0 0 24 24"
        role={word ? undefined : "img"}
        aria-label={word ? undefined : name}
        aria-hidden={word}
      >
        <path d="M3 23V11a9 9 0 0 1 18 0v12z" className={classes.arch} />
        <path d="M8.2 9.2v9.2h7.6" fill="none" stroke="#fff" strokeWidth="2.6" />
        <circle cx="14.6" cy="10.6" r="2.3" fill="#F2B72E" />
      </svg>
      {word && (
        <span className={classes.word} style={{ fontSize: size * 0.73 }}>
          {name}
        </span>
      )}
    </span>
  );
}

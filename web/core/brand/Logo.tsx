import { academy, useAcademyName } from "#web/core/academy/academy.ts";
import classes from "#web/core/brand/Logo.module.css";
import type { AcademyLogo } from "#shared/settings/settings.ts";

type Props = {
  /** Height of the symbol in px. */
  size?: number;
  word?: boolean;
  /** The background, if it is not that of the page in its colour scheme. */
  onDark?: boolean;
  /** Another name and logo than those of the academy, for a preview. */
  shown?: { name: string; logo: AcademyLogo | null };
};

/** A logo at least this many times wider than high is assumed to contain the name. */
const WIDE = 1.8;

/** The logo of the academy, or that of the product, with the name of the academy unless `word` is false. */
export function Logo({ size = 24, word = true, onDark, shown }: Props) {
  const academyName = useAcademyName();
  const ownLogo = academy.use()?.logo ?? null;
  const { name, logo } = shown ?? { name: academyName, logo: ownLogo };
  if (logo) return <OwnLogo size={size} word={word} name={name} logo={logo} onDark={onDark} />;
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
      {word && <Word size={size} name={name} />}
    </span>
  );
}

const Word = ({ size, name }: { size: number; name: string }) => (
  <span className={classes.word} style={{ fontSize: size * 0.73 }}>
    {name}
  </span>
);

type OwnProps = { size: number; word: boolean; name: string; logo: AcademyLogo; onDark: boolean | undefined };

/** The uploaded logo at 1.3 times the height of the symbol. Its size is known, so nothing moves when it has loaded. */
function OwnLogo({ size, word, name, logo: { url, width, height }, onDark }: OwnProps) {
  const hasName = width / height >= WIDE || !word;
  const shownHeight = Math.min(size * 1.3, (size * 7 * height) / width);
  const box = { height: shownHeight, width: (shownHeight * width) / height };
  return (
    <span className={classes.logo} data-on-dark={onDark || undefined} style={{ gap: size * 0.34 }}>
      <img
        src={url}
        alt={hasName ? name : ""}
        width={box.width}
        height={box.height}
        className={classes.own}
        data-on-dark={onDark}
      />
      {!hasName && <Word size={size} name={name} />}
    </span>
  );
}

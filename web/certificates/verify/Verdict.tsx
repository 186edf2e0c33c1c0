import { IconCheck, IconClock, IconQuestionMark, IconX } from "@tabler/icons-react";
import type { ReactNode } from "react";
import classes from "#web/certificates/verify/verify.module.css";
import { Heading } from "#web/core/layout/Heading.tsx";
import type { CertificateState } from "#shared/certificates/certificates.ts";

const icons = {
  valid: IconCheck,
  expired: IconClock,
  revoked: IconX,
  replaced: IconX,
  unknown: IconQuestionMark,
};

type Props = {
  tone: CertificateState | "unknown";
  title: string;
  text: ReactNode;
  /** The page has another heading. */
  isPart?: boolean;
};

/** The answer in one sentence, beside an arch in its colour. */
export function Verdict({ tone, title, text, isPart = false }: Props) {
  const Icon = icons[tone];
  return (
    <div className={classes.verdict}>
      <span className={classes.sign} data-tone={tone} aria-hidden>
        <Icon size={26} stroke={2} />
      </span>
      <div>
        {isPart ? <h2 className={classes.part}>{title}</h2> : <Heading className={classes.title}>{title}</Heading>}
        <p className={classes.dim}>{text}</p>
      </div>
    </div>
  );
}

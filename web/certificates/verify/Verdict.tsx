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

/** The answer in one sentence, beside an arch in its colour. */
export function Verdict({ tone, title, text }: { tone: CertificateState | "unknown"; title: string; text: ReactNode }) {
  const Icon = icons[tone];
  return (
    <div className={classes.verdict}>
      <span className={classes.sign} data-tone={tone} aria-hidden>
        <Icon size={26} stroke={2} />
      </span>
      <div>
        <Heading className={classes.title}>{title}</Heading>
        <p className={classes.dim}>{text}</p>
      </div>
    </div>
  );
}

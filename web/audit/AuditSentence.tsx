import { Link } from "react-router";
import classes from "#web/audit/Audit.module.css";
import { sentenceOf } from "#web/audit/auditSentence.ts";
import type { AuditEntry } from "#shared/audit/audit.ts";

/** What happened, with links to the people and things involved. */
export const AuditSentence = ({ entry }: { entry: AuditEntry }) => (
  <span className={classes.sentence}>
    {sentenceOf(entry).map(({ text, to }, at) =>
      to ? (
        <Link key={at} to={to}>
          {text}
        </Link>
      ) : (
        text
      ),
    )}
  </span>
);

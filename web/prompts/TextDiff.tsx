import { useTranslation } from "react-i18next";
import { diffLines } from "#web/prompts/diffLines.ts";
import classes from "#web/prompts/TextDiff.module.css";

const marks = { same: " ", added: "+", removed: "−" };

/** Two texts with the lines that were added and removed. Without an earlier text, the text alone. */
export function TextDiff({ before, after }: { before: string; after: string }) {
  const { t } = useTranslation();
  const lines =
    before === "" ? after.split("\n").map((text) => ({ kind: "same" as const, text })) : diffLines(before, after);
  return (
    <ol className={classes.diff} aria-label={t("prompts.difference")}>
      {lines.map(({ kind, text }, at) => (
        // Lines may repeat, and never move.
        <li key={`${at} ${text}`} data-kind={kind}>
          <span aria-hidden>{marks[kind]}</span>
          {kind !== "same" && <span className={classes.hidden}>{t(`prompts.diff.${kind}`)}</span>}
          <span>{text || "\u00a0"}</span>
        </li>
      ))}
    </ol>
  );
}

import { useTranslation } from "react-i18next";
import classes from "#web/chatbots/comparison/comparison.module.css";
import type { ComparedAnswer } from "#shared/conversations/answerComparisons.ts";

type Failed = Pick<ComparedAnswer, "code" | "insteadOf" | "connector" | "state">;

/** Why an answer failed or ended early, and which connector answered instead. */
export function AnswerFailure({ answer: { code, insteadOf, connector, state } }: { answer: Failed }) {
  const { t } = useTranslation();
  const lines: string[] = [];
  if (insteadOf) lines.push(t("chatbots.compare.insteadOf", { failed: insteadOf, connector }));
  if (code === "length" || code === "internal") lines.push(t(`chatbots.compare.${code}`));
  else if (code) lines.push(t(`connectors.causes.${code}`));
  if (state === "cut" && !code) lines.push(t("chatbots.compare.cut"));
  return lines.length > 0 && <p className={classes.reason}>{lines.join(" ")}</p>;
}

import { useTranslation } from "react-i18next";
import classes from "#web/chatbots/comparison/comparison.module.css";
import type { Comparison } from "#web/chatbots/comparison/useComparison.ts";

/** Shown in place of today's answer until it is complete, or if no model is asked. */
export function TodayText({ state }: { state: Comparison }) {
  const { t } = useTranslation();
  const { begin, text, notAsked, isRunning } = state;
  if (notAsked)
    return (
      <>
        <p className={classes.reason}>{t(`chatbots.compare.notAsked.${notAsked.reason}`)}</p>
        {notAsked.text && <p className={classes.said}>{notAsked.text}</p>}
      </>
    );
  if (text === "" && isRunning && begin)
    return <p className={classes.dim}>{t("chatbots.compare.asking", { name: begin.chatbot })}</p>;
  return (
    <p className={classes.said}>
      {text}
      {isRunning && <span className={classes.caret} aria-hidden />}
    </p>
  );
}

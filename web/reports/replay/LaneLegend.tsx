import { useTranslation } from "react-i18next";
import classes from "#web/reports/replay/LaneLegend.module.css";
import type { Entry, Timeline } from "#web/reports/replay/timeline.ts";

const items = [
  ["right", ({ lane, tone }: Entry) => lane === "answers" && tone === "good"],
  ["wrong", ({ lane, tone }: Entry) => lane !== "writing" && tone === "bad"],
  ["open", ({ lane, tone }: Entry) => lane === "answers" && tone === "plain"],
  ["variable", ({ lane }: Entry) => lane === "variables"],
  ["learner", ({ tone }: Entry) => tone === "learner"],
  ["chatbot", ({ tone }: Entry) => tone === "chatbot"],
  ["writing", ({ lane, tone }: Entry) => lane === "writing" && tone === "plain"],
  ["pressed", ({ lane }: Entry) => lane === "actions"],
  ["unfinished", ({ lane, tone }: Entry) => lane === "writing" && tone !== "plain"],
  ["delayed", ({ lane }: Entry) => lane === "saving"],
] as const;

/** Legend of the shapes that occur. */
export function LaneLegend({ index }: { index: Timeline }) {
  const { t } = useTranslation();
  return (
    <ul className={classes.legend}>
      {items
        .filter(([, isIn]) => index.entries.some(isIn))
        .map(([name]) => (
          <li key={name} data-mark={name}>
            {t(`replay.legend.${name}`)}
          </li>
        ))}
    </ul>
  );
}

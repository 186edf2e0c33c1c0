import { i18n } from "#web/core/i18n.ts";
import { conditionTitle, partTitles } from "#web/courses/completion/conditionTexts.ts";
import { formatDuration, formatPercent } from "#web/core/format/format.ts";
import { launchPath } from "#web/core/format/launchPath.ts";
import type { ConditionState, MissingPart, OwnCompletion } from "#shared/completions/completions.ts";

/** A thing that is left to do: what, how far it is, and the one button for it; without one, who can help. */
export type Todo = { what: string; text: string; action: { label: string; to: string } | null };

/** A condition that is not met, in words for its learner. */
export function todoOf(condition: ConditionState, own: OwnCompletion): Todo {
  const { t } = i18n;
  const { test, value, missing, part } = condition;
  const target = test.kind === "part" || test.kind === "partScore" ? part : nextPart(missing);
  const titles = partTitles(missing);
  const limit = typeof condition.limit === "number" ? condition.limit : 0;
  const now = typeof value === "number" ? t("completions.mine.scoreNow", { value: formatPercent(value) }) : null;
  const score = now ?? t("completions.mine.scoreNone");
  const describe = (): [what: string, text: string] => {
    switch (test.kind) {
      case "reported":
        return [t("completions.mine.parts", { count: missing.length }), titles];
      case "opened":
        return [t("completions.mine.openParts", { count: missing.length }), titles];
      case "passed":
        return [t("completions.mine.passParts"), titles];
      case "score":
        return [t("completions.mine.score", { limit: formatPercent(test.percent) }), score];
      case "partScore": {
        const title = part?.title ?? test.title;
        return [t("completions.mine.partScore", { title, limit: formatPercent(test.percent) }), score];
      }
      case "part":
        return [
          t(test.is === "done" ? "completions.mine.part" : "completions.mine.pass", {
            title: part?.title ?? test.title,
          }),
          "",
        ];
      case "time": {
        const spent = Number(value);
        return [
          t("completions.mine.time", { time: formatDuration(Math.max(60, limit - spent)) }),
          t("completions.mine.timeNow", { value: formatDuration(spent), limit: formatDuration(limit) }),
        ];
      }
      case "confirmed":
        return [t("completions.mine.confirm"), t("completions.mine.confirmText")];
      case "hidden":
        return [conditionTitle(condition, own.kind), ""];
      case "variable":
        return [t("completions.mine.variable", { what: conditionTitle(condition, own.kind) }), ""];
    }
  };
  const [what, text] = describe();
  if (target?.attemptsLeft === 0)
    return { what, text: `${text} ${t("completions.mine.noAttempts")}`.trim(), action: null };
  const left = typeof target?.attemptsLeft === "number" ? target.attemptsLeft : null;
  const attempts = left === null ? "" : `${t("completions.mine.attempts", { count: left })}.`;
  return { what, text: `${text} ${attempts}`.trim(), action: actionOf(target, own) };
}

/** The first part that can still be done. */
const nextPart = (parts: MissingPart[]) => parts.find(({ attemptsLeft }) => attemptsLeft !== 0) ?? parts[0] ?? null;

function actionOf(part: MissingPart | null, own: OwnCompletion): Todo["action"] {
  const { t } = i18n;
  if (own.isArchived) return null;
  const path = launchPath(own);
  if (!part) return { label: t("completions.mine.continue"), to: path };
  const { sco, title, attemptsLeft } = part;
  return {
    label: t(attemptsLeft === undefined ? "completions.mine.open" : "completions.mine.openQuiz", { title }),
    to: `${path}?part=${encodeURIComponent(sco)}`,
  };
}

/** What a condition that is met says to its learner. */
export function doneText(condition: ConditionState, own: OwnCompletion) {
  const { test, value } = condition;
  const title = conditionTitle(condition, own.kind);
  if (test.kind === "time") return [title, formatDuration(Number(value))].join(": ");
  if ((test.kind === "score" || test.kind === "partScore") && typeof value === "number")
    return [title, formatPercent(value)].join(": ");
  return title;
}

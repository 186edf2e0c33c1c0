import { IconAlertTriangle, IconCircleCheck, IconCircleX } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import classes from "#web/lessons/author/settings/settings.module.css";
import type { BlockName } from "#web/lessons/author/nodes/templates.ts";
import { blockNames } from "#web/lessons/author/nodes/templates.ts";
import type { DraftProblem } from "#shared/lessons/drafts.ts";

type Props = {
  problems: DraftProblem[];
  /** The name of the lesson of each problem, where there are several. */
  titleOf?: (lessonId: string) => string | undefined;
  onOpen: (problem: DraftProblem) => void;
};

/** What is missing, most pressing first; each leads to its block. */
export function Problems({ problems, titleOf, onOpen }: Props) {
  const { t } = useTranslation();
  if (problems.length === 0)
    return (
      <p className={classes.fine}>
        <IconCircleCheck size={18} stroke={1.7} aria-hidden />
        {t("lessonDrafts.checks.fine")}
      </p>
    );
  const sorted = problems.toSorted((a, b) => Number(b.blocks) - Number(a.blocks));
  return (
    <ul className={classes.problems}>
      {sorted.map((problem) => {
        const Icon = problem.blocks ? IconCircleX : IconAlertTriangle;
        const title = titleOf?.(problem.lessonId);
        return (
          <li key={`${problem.lessonId} ${problem.blockId} ${problem.code} ${problem.about}`}>
            <button
              type="button"
              className={classes.problem}
              data-blocks={problem.blocks || undefined}
              onClick={() => onOpen(problem)}
            >
              <Icon size={18} stroke={1.7} aria-hidden />
              <span>
                <ProblemText problem={problem} />
                {title && <span className={classes.dim}> {t("lessonDrafts.checks.in", { title })}</span>}
              </span>
            </button>
          </li>
        );
      })}
    </ul>
  );
}

const missing = ["file", "variable", "target", "key", "meaning", "label", "size"] as const;
const isMissing = (field: string): field is (typeof missing)[number] => (missing as readonly string[]).includes(field);

function ProblemText({ problem: { code, about, node } }: { problem: DraftProblem }) {
  const { t } = useTranslation();
  const kind = { paragraph: "text", codeBlock: "code" }[node] ?? node;
  const block = blockNames.includes(kind as BlockName)
    ? t(`lessonDrafts.blocks.${kind as BlockName}.name`)
    : t("lessonDrafts.checks.aBlock");
  if (code === "unfinished")
    return t("lessonDrafts.checks.leftOut", {
      block,
      reason: isMissing(about) ? t(`lessonDrafts.checks.missing.${about}`) : t("lessonDrafts.checks.missing.other"),
    });
  return t(about ? `lessonDrafts.checks.about.${code}` : `lessonDrafts.checks.plain.${code}`, { about, block });
}

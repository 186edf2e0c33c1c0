import { Button, Select } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { addChild } from "#web/lessons/author/nodes/children.ts";
import { newFeedback } from "#web/lessons/author/nodes/templates.ts";
import { NumberField, SwitchField } from "#web/lessons/author/settings/fields.tsx";
import { InQuiz } from "#web/lessons/author/settings/InQuiz.tsx";
import { useOpenQuiz } from "#web/lessons/author/authorContext.ts";
import { changeSettings, type Settings } from "#web/lessons/author/settings/settings.ts";

const TRIES = [null, 1, 2, 3, 4, 5, 10];

/** Whether a question counts, and how it is answered. */
export function QuestionSettings({ of }: { of: Settings }) {
  const { t } = useTranslation();
  const quiz = useOpenQuiz();
  const { attrs } = of.node;
  const kind = String(attrs["kind"]);
  const hasChoices = kind === "single" || kind === "multiple";
  return (
    <>
      {quiz && <InQuiz of={of} quiz={quiz} />}
      {!quiz && (
        <SwitchField
          of={of}
          name="graded"
          label={t("lessonDrafts.question.graded")}
          hint={attrs["graded"] ? t("lessonDrafts.question.gradedHint") : t("lessonDrafts.question.practiceHint")}
        />
      )}
      {!quiz && attrs["graded"] === true && (
        <NumberField of={of} name="points" label={t("lessonDrafts.question.points")} min={0} max={100} decimals />
      )}
      {!quiz && (
        <Select
          label={t("lessonDrafts.question.tries")}
          allowDeselect={false}
          value={String(attrs["tries"] ?? "")}
          data={TRIES.map((count) => ({
            value: String(count ?? ""),
            label: count === null ? t("lessonDrafts.question.unlimited") : String(count),
          }))}
          onChange={(value) => changeSettings(of, { tries: value ? Number(value) : null })}
        />
      )}
      {!quiz && <SwitchField of={of} name="required" label={t("lessonDrafts.settings.required")} />}
      {hasChoices && !quiz?.shuffleChoices && (
        <SwitchField of={of} name="shuffle" label={t("lessonDrafts.question.shuffle")} />
      )}
      {kind === "shortText" && (
        <SwitchField of={of} name="caseSensitive" label={t("lessonDrafts.settings.caseSensitive")} />
      )}
      {hasChoices && <ChoiceFeedback of={of} />}
    </>
  );
}

/** Adds a text that is shown beside the choice with the cursor. */
function ChoiceFeedback({ of }: { of: Settings }) {
  const { t } = useTranslation();
  const { editor } = of;
  const { $from } = editor.state.selection;
  const depth = Array.from({ length: $from.depth }, (_, n) => n + 1).find(
    (level) => $from.node(level).type.name === "choice",
  );
  const choice = depth ? $from.node(depth) : null;
  const hasFeedback = choice?.children.some(({ type }) => type.name === "feedback");
  if (!choice || !depth || hasFeedback) return null;
  return (
    <Button
      variant="subtle"
      size="compact-sm"
      leftSection={<IconPlus size={16} stroke={1.8} />}
      onClick={() => addChild(editor, $from.before(depth), choice, newFeedback("choice"))}
    >
      {t("lessonDrafts.question.choiceFeedback")}
    </Button>
  );
}

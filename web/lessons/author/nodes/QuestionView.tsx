import { Button, NumberInput, TextInput } from "@mantine/core";
import { IconCheck, IconPlus } from "@tabler/icons-react";
import { NodeViewContent, type NodeViewProps, NodeViewWrapper } from "@tiptap/react";
import { useTranslation } from "react-i18next";
import { useOpenQuiz } from "#web/lessons/author/authorContext.ts";
import { addChild, countChildren, placeOf } from "#web/lessons/author/nodes/children.ts";
import { addGap } from "#web/lessons/author/nodes/gaps.ts";
import { newAnswer, newChoice, newFeedback, newItem, newPair } from "#web/lessons/author/nodes/templates.ts";
import classes from "#web/lessons/author/nodes/question.module.css";
import { MAX_CHOICES, type QuestionKind } from "#shared/lessons/questions.ts";

const added = { single: newChoice, multiple: newChoice, match: newPair, order: newItem, shortText: newAnswer };

/** A question as a form: its text, what can be answered, and what is said afterwards. */
export function QuestionView({ node, editor, getPos, updateAttributes }: NodeViewProps) {
  const { t } = useTranslation();
  const kind = node.attrs["kind"] as QuestionKind;
  const quiz = useOpenQuiz();
  const pool = quiz?.pools.find(({ key }) => key === node.attrs["pool"]);
  const template = kind in added ? added[kind as keyof typeof added]() : null;
  const insert = (child: Parameters<typeof addChild>[3]) => {
    const pos = placeOf(getPos);
    if (pos !== null) addChild(editor, pos, node, child);
  };
  const hasFeedback = (when: string) =>
    node.children.some(({ type, attrs }) => type.name === "feedback" && attrs["when"] === when);
  const button = (label: string, onClick: () => void) => (
    <Button
      key={label}
      variant="subtle"
      size="compact-sm"
      leftSection={<IconPlus size={16} stroke={1.8} />}
      onClick={onClick}
    >
      {label}
    </Button>
  );
  return (
    <NodeViewWrapper className={classes.question} data-kind={kind}>
      {quiz && (
        <p contentEditable={false} className={classes.inQuiz}>
          {[
            t("lessons.points", { count: Number(node.attrs["points"]) }),
            ...(pool ? [t("lessonDrafts.quiz.poolOf", { title: pool.title })] : []),
          ].join(" · ")}
        </p>
      )}
      <NodeViewContent className={classes.body} />
      <div contentEditable={false} className={classes.foot}>
        {kind === "trueFalse" && (
          <TrueFalse isTrue={node.attrs["isTrue"] !== false} onChange={(isTrue) => updateAttributes({ isTrue })} />
        )}
        {kind === "number" && <NumberAnswer node={node} onChange={updateAttributes} />}
        {editor.isEditable && (
          <div className={classes.adding}>
            {template &&
              countChildren(node, template.type) < MAX_CHOICES &&
              button(t(`lessonDrafts.question.add.${kind as keyof typeof added}`), () => insert(template))}
            {kind === "fill" && button(t("lessonDrafts.question.add.fill"), () => addGap(editor, placeOf(getPos)))}
            {(["right", "wrong"] as const).map(
              (when) =>
                !hasFeedback(when) &&
                button(t(`lessonDrafts.question.feedback.${when}`), () => insert(newFeedback(when))),
            )}
          </div>
        )}
      </div>
    </NodeViewWrapper>
  );
}

function TrueFalse({ isTrue, onChange }: { isTrue: boolean; onChange: (isTrue: boolean) => void }) {
  const { t } = useTranslation();
  return (
    <div className={classes.trueFalse} role="radiogroup" aria-label={t("lessonDrafts.question.rightAnswer")}>
      {[true, false].map((value) => (
        <button
          key={String(value)}
          type="button"
          role="radio"
          aria-checked={isTrue === value}
          className={classes.choice}
          data-right={isTrue === value || undefined}
          onClick={() => onChange(value)}
        >
          <span className={classes.mark} data-round aria-hidden />
          <span className={classes.choiceText}>
            {value ? t("lessonDrafts.question.true") : t("lessonDrafts.question.false")}
          </span>
          {isTrue === value && (
            <span className={classes.right} aria-hidden>
              <IconCheck size={15} stroke={2.2} />
              {t("lessonDrafts.question.right")}
            </span>
          )}
        </button>
      ))}
    </div>
  );
}

type NumberProps = { node: NodeViewProps["node"]; onChange: NodeViewProps["updateAttributes"] };
function NumberAnswer({ node, onChange }: NumberProps) {
  const { t } = useTranslation();
  const { answer, tolerance, unit } = node.attrs as { answer: number | null; tolerance: number; unit: string };
  const numberOr = (value: string | number, otherwise: number | null) => (value === "" ? otherwise : Number(value));
  return (
    <div className={classes.number}>
      <NumberInput
        label={t("lessonDrafts.question.rightAnswer")}
        value={answer ?? ""}
        onChange={(value) => onChange({ answer: numberOr(value, null) })}
        hideControls
      />
      <NumberInput
        label={t("lessonDrafts.question.tolerance")}
        value={tolerance}
        min={0}
        onChange={(value) => onChange({ tolerance: numberOr(value, 0) })}
        hideControls
      />
      <TextInput
        label={t("lessonDrafts.question.unit")}
        value={unit}
        maxLength={30}
        onChange={(event) => onChange({ unit: event.currentTarget.value })}
      />
    </div>
  );
}

import { Button, CloseButton, NumberInput, Select } from "@mantine/core";
import { IconArrowRight, IconPlus } from "@tabler/icons-react";
import { NodeViewContent, type NodeViewProps, NodeViewWrapper, useEditorState } from "@tiptap/react";
import { useTranslation } from "react-i18next";
import { addChild, countChildren, placeOf } from "#web/lessons/author/nodes/children.ts";
import { newFeedback } from "#web/lessons/author/nodes/templates.ts";
import { leadTo } from "#web/lessons/author/scenario/changes.ts";
import { scenarioAround, stepsOf, targetsOf, textOf } from "#web/lessons/author/scenario/steps.ts";
import classes from "#web/lessons/author/scenario/scenario.module.css";
import { MAX_POINTS } from "#shared/lessons/scenarios.ts";

const NO_STEPS: ReturnType<typeof stepsOf> = [];

/** A choice: its text and feedback, where it leads, and its points. */
export function OptionView({ node, editor, getPos, updateAttributes, deleteNode }: NodeViewProps) {
  const { t } = useTranslation();
  const steps = useEditorState({
    editor,
    selector: ({ editor: current }) => {
      const found = scenarioAround(current, placeOf(getPos));
      return found ? stepsOf(found.node) : NO_STEPS;
    },
    equalityFn: (a, b) => a === b,
  });
  const to = String(node.attrs["to"] ?? "");
  const target = steps.find(({ key }) => key === to);
  const choice = textOf(node);
  const addFeedback = () => {
    const pos = placeOf(getPos);
    if (pos !== null) addChild(editor, pos, node, newFeedback("choice"));
  };
  return (
    <NodeViewWrapper className={classes.option} data-loose={!target || undefined}>
      <NodeViewContent className={classes.optionBody} />
      <div contentEditable={false} className={classes.optionEnd}>
        <Select
          className={classes.target}
          size="xs"
          aria-label={t("scenarioDrafts.leadsTo", { choice })}
          placeholder={t("scenarioDrafts.chooseTarget")}
          leftSection={<IconArrowRight size={15} stroke={1.8} className={classes.arrow} />}
          data={targetsOf(steps)}
          value={target?.key ?? null}
          onChange={(to) => {
            const pos = placeOf(getPos);
            if (pos !== null) leadTo(editor, pos, to);
          }}
          searchable
        />
        <NumberInput
          className={classes.optionPoints}
          size="xs"
          aria-label={t("scenarioDrafts.pointsOf", { choice })}
          suffix={` ${t("scenarioDrafts.pts")}`}
          allowDecimal={false}
          hideControls
          min={-MAX_POINTS}
          max={MAX_POINTS}
          value={Number(node.attrs["points"])}
          onChange={(value) => updateAttributes({ points: Number(value) || 0 })}
        />
        {countChildren(node, "feedback") === 0 && (
          <Button
            variant="subtle"
            size="compact-xs"
            leftSection={<IconPlus size={14} stroke={1.8} />}
            onClick={addFeedback}
          >
            {t("scenarioDrafts.feedback")}
          </Button>
        )}
        <CloseButton size="sm" aria-label={t("lessonDrafts.question.removeChoice")} onClick={deleteNode} />
      </div>
    </NodeViewWrapper>
  );
}

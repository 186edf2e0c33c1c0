import { Button, CloseButton } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { NodeViewContent, type NodeViewProps, NodeViewWrapper, useEditorState } from "@tiptap/react";
import { useTranslation } from "react-i18next";
import { addChild, countChildren, placeOf } from "#web/lessons/author/nodes/children.ts";
import { newFeedback } from "#web/lessons/author/nodes/templates.ts";
import { OptionFields } from "#web/lessons/author/scenario/OptionFields.tsx";
import { scenarioAround, stepsOf } from "#web/lessons/author/scenario/steps.ts";
import classes from "#web/lessons/author/scenario/scenario.module.css";

const NO_STEPS: ReturnType<typeof stepsOf> = [];

/** A choice: its text and feedback, where it leads, and its points. */
export function OptionView({ node, editor, getPos, deleteNode }: NodeViewProps) {
  const { t } = useTranslation();
  const steps = useEditorState({
    editor,
    selector: ({ editor: current }) => {
      const found = scenarioAround(current, placeOf(getPos));
      return found ? stepsOf(found.node) : NO_STEPS;
    },
    equalityFn: (a, b) => a === b,
  });
  const isLoose = !steps.some(({ key }) => key === node.attrs["to"]);
  const addFeedback = () => {
    const pos = placeOf(getPos);
    if (pos !== null) addChild(editor, pos, node, newFeedback("choice"));
  };
  return (
    <NodeViewWrapper className={classes.option} data-loose={isLoose || undefined}>
      <NodeViewContent className={classes.optionBody} />
      <div contentEditable={false} className={classes.optionEnd}>
        <OptionFields editor={editor} option={node} steps={steps} placeOf={() => placeOf(getPos)} />
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

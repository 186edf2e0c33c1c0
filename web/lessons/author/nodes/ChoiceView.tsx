import { CloseButton } from "@mantine/core";
import { IconCheck } from "@tabler/icons-react";
import { NodeViewContent, type NodeViewProps, NodeViewWrapper } from "@tiptap/react";
import { useTranslation } from "react-i18next";
import { placeOf } from "#web/lessons/author/nodes/children.ts";
import classes from "#web/lessons/author/nodes/question.module.css";

/** A choice: its text and feedback, and whether it is right. */
export function ChoiceView({ node, editor, getPos, deleteNode }: NodeViewProps) {
  const { t } = useTranslation();
  const pos = placeOf(getPos);
  const question = pos === null ? null : editor.state.doc.resolve(pos).parent;
  const isSingle = question?.attrs["kind"] === "single";
  const isRight = node.attrs["isRight"] === true;
  /** Of a single choice, the right one moves. */
  const toggle = () => {
    const at = placeOf(getPos);
    if (at === null) return;
    editor.commands.command(({ tr }) => {
      const $at = tr.doc.resolve(at);
      const start = $at.start();
      if (isSingle && !isRight)
        $at.parent.forEach((one, offset) => {
          if (one.type.name === "choice" && one.attrs["isRight"]) tr.setNodeAttribute(start + offset, "isRight", false);
        });
      tr.setNodeAttribute(at, "isRight", !isRight);
      return true;
    });
  };
  return (
    <NodeViewWrapper className={classes.choice} data-right={isRight || undefined}>
      <span className={classes.mark} data-round={isSingle || undefined} contentEditable={false} aria-hidden />
      <NodeViewContent className={classes.choiceText} />
      <span contentEditable={false} className={classes.choiceEnd}>
        <button type="button" className={classes.right} aria-pressed={isRight} onClick={toggle}>
          {isRight && <IconCheck size={15} stroke={2.2} aria-hidden />}
          {isRight ? t("lessonDrafts.question.right") : t("lessonDrafts.question.markRight")}
        </button>
        <CloseButton size="sm" aria-label={t("lessonDrafts.question.removeChoice")} onClick={deleteNode} />
      </span>
    </NodeViewWrapper>
  );
}

/** Two texts that belong together. */
export function PairView({ deleteNode }: NodeViewProps) {
  const { t } = useTranslation();
  return (
    <NodeViewWrapper className={classes.pair}>
      <NodeViewContent className={classes.pairTexts} />
      <span contentEditable={false}>
        <CloseButton size="sm" aria-label={t("lessonDrafts.question.removePair")} onClick={deleteNode} />
      </span>
    </NodeViewWrapper>
  );
}

import { type NodeViewProps, NodeViewWrapper } from "@tiptap/react";
import { useTranslation } from "react-i18next";
import classes from "#web/lessons/author/nodes/question.module.css";

/** A gap in a text with the answers that are right; they are changed in the settings. */
export function GapView({ node, selected }: NodeViewProps) {
  const { t } = useTranslation();
  const answers = (node.attrs["answers"] as string[]).join(" / ");
  return (
    <NodeViewWrapper as="span" className={classes.gap} data-selected={selected || undefined}>
      {answers || t("lessonDrafts.question.noAnswer")}
    </NodeViewWrapper>
  );
}

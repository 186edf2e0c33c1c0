import { type NodeViewProps, NodeViewWrapper } from "@tiptap/react";
import { useTranslation } from "react-i18next";
import classes from "#web/lessons/author/nodes/samples.module.css";

/** The value of a variable in a text: its key, or a request to choose one in the settings. */
export function VariableView({ node, selected }: NodeViewProps) {
  const { t } = useTranslation();
  const { key, fallback } = node.attrs as { key: string; fallback: string };
  return (
    <NodeViewWrapper
      as="code"
      className={classes.variable}
      data-selected={selected || undefined}
      data-empty={key === "" || undefined}
      title={fallback ? t("lessonDrafts.variable.otherwise", { fallback }) : undefined}
    >
      {key || t("lessonDrafts.variable.choose")}
    </NodeViewWrapper>
  );
}

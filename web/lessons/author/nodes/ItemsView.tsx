import { Button } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { NodeViewContent, type NodeViewProps, NodeViewWrapper } from "@tiptap/react";
import { useTranslation } from "react-i18next";
import { addChild, placeOf } from "#web/lessons/author/nodes/children.ts";
import { newCard, newItem, newTitledItem } from "#web/lessons/author/nodes/templates.ts";
import classes from "#web/lessons/author/nodes/samples.module.css";

const addedTo = {
  accordion: newTitledItem,
  tabs: newTitledItem,
  process: newTitledItem,
  flashcards: newCard,
  checklist: newItem,
};

/** A block of items, each open for writing, with a button that adds one. */
export function ItemsView({ node, editor, getPos }: NodeViewProps) {
  const { t } = useTranslation();
  const name = node.type.name as keyof typeof addedTo;
  const add = () => {
    const pos = placeOf(getPos);
    if (pos !== null) addChild(editor, pos, node, addedTo[name]());
  };
  return (
    <NodeViewWrapper className={classes.items} data-kind={name}>
      <NodeViewContent className={classes.itemList} />
      {editor.isEditable && (
        <Button
          contentEditable={false}
          variant="subtle"
          size="compact-sm"
          leftSection={<IconPlus size={16} stroke={1.8} />}
          onClick={add}
        >
          {t(`lessonDrafts.addItem.${name}`)}
        </Button>
      )}
    </NodeViewWrapper>
  );
}

import { ActionIcon, Menu } from "@mantine/core";
import { IconArrowDown, IconArrowUp, IconCopy, IconGripVertical, IconPlus, IconTrash } from "@tabler/icons-react";
import type { Editor } from "@tiptap/core";
import { useEditorState } from "@tiptap/react";
import { type DragEvent, type RefObject, useLayoutEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import {
  dragBlock,
  duplicateBlock,
  moveBlock,
  removeBlock,
  selectedBlock,
} from "#web/lessons/author/editing/blockCommands.ts";
import { kindOfNode } from "#web/lessons/author/editing/blockKinds.ts";
import classes from "#web/lessons/author/editing/blockFrame.module.css";

const PLAIN = new Set(["paragraph", "heading", "list"]);

/** The handle of the selected block, its bar, and the button that adds one after it. */
export function BlockFrame({ editor, page }: { editor: Editor; page: RefObject<HTMLElement | null> }) {
  const { t } = useTranslation();
  const shown = useEditorState({
    editor,
    selector: ({ editor: current }) => {
      const block = selectedBlock(current.state);
      return (
        block && {
          id: String(block.node.attrs["id"]),
          name: block.node.type.name,
          kind: kindOfNode(block.node),
          size: block.node.nodeSize,
          index: block.index,
        }
      );
    },
  });
  const rect = useBlockRect(editor, page, `${shown?.id} ${shown?.index} ${shown?.size}`);
  if (!shown || !rect) return null;
  const label = t(`lessonDrafts.blocks.${shown.kind}.name`);
  const run = (command: (editor: Editor) => unknown) => () => {
    command(editor);
    editor.view.focus();
  };
  const drag = (event: DragEvent) => dragBlock(editor, event.dataTransfer);
  const addAfter = () => {
    const block = selectedBlock(editor.state);
    if (!block) return;
    const at = block.pos + block.node.nodeSize;
    editor
      .chain()
      .insertContentAt(at, { type: "paragraph" }, { updateSelection: false })
      .setTextSelection(at + 1)
      .insertContent("/")
      .focus()
      .run();
  };
  const actions = [
    { key: "up", icon: IconArrowUp, run: run((one) => moveBlock(one, -1)) },
    { key: "down", icon: IconArrowDown, run: run((one) => moveBlock(one, 1)) },
    { key: "duplicate", icon: IconCopy, run: run(duplicateBlock) },
    { key: "remove", icon: IconTrash, run: run(removeBlock) },
  ] as const;
  return (
    <>
      <div className={classes.gutter} style={{ top: rect.top }}>
        <ActionIcon variant="subtle" color="gray" size={26} aria-label={t("lessonDrafts.block.add")} onClick={addAfter}>
          <IconPlus size={17} stroke={1.8} />
        </ActionIcon>
        <Menu position="bottom-start" width={230} withinPortal>
          <Menu.Target>
            <ActionIcon
              variant="subtle"
              color="gray"
              size={26}
              className={classes.handle}
              draggable
              onDragStart={drag}
              aria-label={t("lessonDrafts.block.handle", { block: label })}
            >
              <IconGripVertical size={17} stroke={1.8} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            {actions.map(({ key, icon: Icon, run: act }) => (
              <Menu.Item
                key={key}
                leftSection={<Icon size={17} stroke={1.7} />}
                rightSection={<span className={classes.key}>{t(`lessonDrafts.block.keys.${key}`)}</span>}
                onClick={act}
              >
                {t(`lessonDrafts.block.${key}`)}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      </div>
      {!PLAIN.has(shown.name) && (
        <>
          <div
            className={classes.frame}
            style={{ top: rect.top - 12, height: rect.height + 24 }}
            data-block={shown.name}
          />
          <div className={classes.bar} style={{ top: rect.top - 30 }} role="toolbar" aria-label={label}>
            <span className={classes.name}>{label}</span>
            {actions.map(({ key, icon: Icon, run: act }) => (
              <ActionIcon
                key={key}
                variant="subtle"
                color="gray"
                size={28}
                aria-label={t(`lessonDrafts.block.${key}`)}
                title={`${t(`lessonDrafts.block.${key}`)} (${t(`lessonDrafts.block.keys.${key}`)})`}
                onMouseDown={(event) => event.preventDefault()}
                onClick={act}
              >
                <Icon size={17} stroke={1.7} />
              </ActionIcon>
            ))}
          </div>
        </>
      )}
    </>
  );
}

type Rect = { top: number; height: number };

/** Where the selected block stands in the page; measured again when anything changes its size. */
function useBlockRect(editor: Editor, page: RefObject<HTMLElement | null>, key: string) {
  const [rect, setRect] = useState<Rect | null>(null);
  useLayoutEffect(() => {
    const measure = () => {
      const block = page.current?.querySelector(".ly-selected-block");
      const home = page.current?.getBoundingClientRect();
      const own = block?.getBoundingClientRect();
      setRect(own && home ? { top: own.top - home.top, height: own.height } : null);
    };
    measure();
    const observer = new ResizeObserver(measure);
    if (page.current) observer.observe(page.current);
    for (const child of editor.view.dom.children) observer.observe(child);
    const later = setTimeout(measure, 60);
    return () => {
      observer.disconnect();
      clearTimeout(later);
    };
  }, [editor, page, key]);
  return rect;
}

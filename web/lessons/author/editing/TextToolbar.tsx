import { ActionIcon, Button, Portal, TextInput } from "@mantine/core";
import {
  IconBold,
  IconCode,
  IconItalic,
  IconLanguage,
  IconLink,
  IconStrikethrough,
  IconSubscript,
  IconSuperscript,
  IconUnderline,
  IconVariable,
} from "@tabler/icons-react";
import type { Editor } from "@tiptap/core";
import { TextSelection } from "@tiptap/pm/state";
import { useEditorState } from "@tiptap/react";
import { type FormEvent, useEffect, useLayoutEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import classes from "#web/lessons/author/editing/textToolbar.module.css";
import { languageTag, linkTarget } from "#shared/lessons/richText.ts";

const marks = [
  ["bold", IconBold],
  ["italic", IconItalic],
  ["underline", IconUnderline],
  ["strike", IconStrikethrough],
  ["code", IconCode],
  ["subscript", IconSubscript],
  ["superscript", IconSuperscript],
] as const;
type Asked = "link" | "language" | null;

/** Marks, link, language and personalised text for the selected words. Alt+F10 reaches it by keyboard. */
export function TextToolbar({ editor }: { editor: Editor }) {
  const { t } = useTranslation();
  const [asked, setAsked] = useState<Asked>(null);
  const box = useRef<HTMLDivElement>(null);
  const state = useEditorState({
    editor,
    selector: ({ editor: current }) => {
      const { selection } = current.state;
      const text = selection instanceof TextSelection && !selection.empty && selection.$from.sameParent(selection.$to);
      const isShown = text && selection.$from.parent.type.spec.marks !== "" && !selection.$from.parent.type.spec.code;
      return {
        isShown,
        from: selection.from,
        to: selection.to,
        active: Object.fromEntries(marks.map(([name]) => [name, isShown && current.isActive(name)])),
        link: isShown ? String(current.getAttributes("link")["href"] ?? "") : "",
        language: isShown ? String(current.getAttributes("language")["language"] ?? "") : "",
      };
    },
  });
  useEffect(() => {
    const reach = (event: KeyboardEvent) => {
      if (event.altKey && event.key === "F10") box.current?.querySelector("button")?.focus();
      if ((event.ctrlKey || event.metaKey) && event.key === "k" && state.isShown) {
        event.preventDefault();
        event.stopPropagation();
        setAsked("link");
      }
    };
    editor.view.dom.addEventListener("keydown", reach, { capture: true });
    return () => editor.view.dom.removeEventListener("keydown", reach, { capture: true });
  }, [editor, state.isShown]);
  useEffect(() => {
    if (!state.isShown) setAsked(null);
  }, [state.isShown]);
  const place = usePlace(editor, box, state, asked);
  if (!state.isShown) return null;
  const close = () => {
    setAsked(null);
    editor.commands.focus();
  };
  const tool = (label: string, Icon: typeof IconBold, isActive: boolean, run: () => void) => (
    <ActionIcon
      key={label}
      variant={isActive ? "light" : "subtle"}
      color={isActive ? undefined : "gray"}
      size={32}
      aria-label={label}
      title={label}
      aria-pressed={isActive}
      onMouseDown={(event) => event.preventDefault()}
      onClick={run}
    >
      <Icon size={18} stroke={1.7} />
    </ActionIcon>
  );
  return (
    <Portal>
      <div
        ref={box}
        className={classes.toolbar}
        style={place}
        role="toolbar"
        aria-label={t("lessonDrafts.toolbar.label")}
        onKeyDown={(event) => event.key === "Escape" && close()}
      >
        {asked ? (
          <AskForm
            key={asked}
            asked={asked}
            value={asked === "link" ? state.link : state.language}
            onDone={(value) => {
              const chain = editor.chain().focus();
              if (value)
                chain
                  .extendMarkRange(asked)
                  .setMark(asked, asked === "link" ? { href: value } : { language: value })
                  .run();
              else chain.extendMarkRange(asked).unsetMark(asked).run();
              setAsked(null);
            }}
            onCancel={close}
          />
        ) : (
          <>
            {marks.map(([name, icon]) =>
              tool(t(`lessonDrafts.toolbar.${name}`), icon, state.active[name] === true, () =>
                editor.chain().focus().toggleMark(name).run(),
              ),
            )}
            <span className={classes.line} aria-hidden />
            {tool(t("lessonDrafts.toolbar.link"), IconLink, state.link !== "", () => setAsked("link"))}
            {tool(t("lessonDrafts.toolbar.language"), IconLanguage, state.language !== "", () => setAsked("language"))}
            {tool(t("lessonDrafts.toolbar.variable"), IconVariable, false, () => {
              const fallback = editor.state.doc.textBetween(state.from, state.to).slice(0, 500);
              editor
                .chain()
                .focus()
                .insertContentAt({ from: state.from, to: state.to }, { type: "variable", attrs: { key: "", fallback } })
                .setNodeSelection(state.from)
                .run();
            })}
          </>
        )}
      </div>
    </Portal>
  );
}

type AskProps = { asked: "link" | "language"; value: string; onDone: (value: string) => void; onCancel: () => void };
function AskForm({ asked, value: first, onDone, onCancel }: AskProps) {
  const { t } = useTranslation();
  const [value, setValue] = useState(first);
  const [isBad, setBad] = useState(false);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const text = value.trim();
    if (asked === "link") {
      const target =
        text === "" || /^[a-z]+:/i.test(text) ? text : `${text.includes("@") ? "mailto:" : "https://"}${text}`;
      if (target !== "" && !linkTarget.safeParse(target).success) return setBad(true);
      return onDone(target);
    }
    if (text !== "" && !languageTag.safeParse(text).success) return setBad(true);
    onDone(text);
  };
  return (
    <form className={classes.form} onSubmit={submit}>
      <TextInput
        size="sm"
        value={value}
        autoFocus
        aria-label={t(`lessonDrafts.toolbar.${asked}`)}
        placeholder={t(`lessonDrafts.toolbar.${asked}Hint`)}
        error={isBad && t(`lessonDrafts.toolbar.${asked}Bad`)}
        onChange={(event) => {
          setValue(event.currentTarget.value);
          setBad(false);
        }}
      />
      <Button type="submit" size="sm">
        {t("lessonDrafts.toolbar.set")}
      </Button>
      {first !== "" && (
        <Button size="sm" variant="default" onClick={() => onDone("")}>
          {t("lessonDrafts.toolbar.remove")}
        </Button>
      )}
      <Button size="sm" variant="subtle" onClick={onCancel}>
        {t("lessonDrafts.cancel")}
      </Button>
    </form>
  );
}

type Range = { isShown: boolean; from: number; to: number };
function usePlace(
  editor: Editor,
  box: React.RefObject<HTMLDivElement | null>,
  { isShown, from, to }: Range,
  asked: Asked,
) {
  const [place, setPlace] = useState<React.CSSProperties>({ visibility: "hidden" });
  useLayoutEffect(() => {
    const element = box.current;
    if (!isShown || !element) return;
    const update = () => {
      const [start, end] = [editor.view.coordsAtPos(from), editor.view.coordsAtPos(to)];
      const { offsetWidth: width, offsetHeight: height } = element;
      const above = start.top - height - 8;
      setPlace({
        left: Math.max(8, Math.min(Math.min(start.left, end.left), innerWidth - width - 8)),
        top: above < 60 ? end.bottom + 8 : above,
      });
    };
    update();
    addEventListener("scroll", update, { passive: true, capture: true });
    return () => removeEventListener("scroll", update, { capture: true });
  }, [editor, box, isShown, from, to, asked]);
  return place;
}

import { Button, Combobox, Textarea, useCombobox } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import classes from "#web/lessons/author/comments/comments.module.css";
import { mentionAt, mentionsToNames, namesToMentions, withChosen } from "#web/lessons/author/comments/mentions.ts";
import { type Colleague, MAX_COMMENT_CHARS } from "#shared/lessons/comments/comments.ts";

const MAX_SHOWN = 6;

type Props = {
  label: string;
  submitLabel: string;
  people: Colleague[];
  /** Names of who is mentioned already, by id. */
  mentioned?: Record<string, string>;
  /** The text of the comment that is changed. */
  initial?: string;
  /** Resolves when the comment is stored; the text stays if it rejects. */
  onSubmit: (text: string) => Promise<unknown>;
  onCancel?: () => void;
};

/** A text in which `@` proposes who may edit the course. */
export function CommentForm({ label, submitLabel, people, mentioned = {}, initial = "", onSubmit, onCancel }: Props) {
  const { t } = useTranslation();
  const [start] = useState(() => mentionsToNames(initial, new Map(Object.entries(mentioned))));
  const [text, setText] = useState(start.text);
  const [chosen, setChosen] = useState(start.chosen);
  const [caret, setCaret] = useState(0);
  const [isSending, setSending] = useState(false);
  const combobox = useCombobox();
  const typed = mentionAt(text, caret);
  const query = typed?.query.toLocaleLowerCase() ?? "";
  const found = typed ? people.filter(({ name }) => name.toLocaleLowerCase().includes(query)).slice(0, MAX_SHOWN) : [];
  const read = (value: string, at: number) => {
    setText(value);
    setCaret(at);
    if (mentionAt(value, at)) combobox.openDropdown();
    else combobox.closeDropdown();
    combobox.updateSelectedOptionIndex();
  };
  const choose = (id: string) => {
    const person = people.find((one) => one.id === id);
    if (!person || !typed) return;
    setChosen(withChosen(text, typed.from, chosen, person));
    setText(`${text.slice(0, typed.from)}@${person.name} ${text.slice(caret)}`);
    combobox.closeDropdown();
  };
  const submit = async () => {
    if (text.trim() === "" || isSending) return;
    setSending(true);
    try {
      await onSubmit(namesToMentions(text.trim(), people, chosen));
      setText("");
      setChosen([]);
    } catch {
      // The toast says why.
    } finally {
      setSending(false);
    }
  };
  const isOpen = combobox.dropdownOpened && found.length > 0;
  return (
    <form
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <Combobox store={combobox} onOptionSubmit={choose} withinPortal={false}>
        <Combobox.Target>
          <Textarea
            label={label}
            description={t("lessonComments.hint")}
            value={text}
            autosize
            minRows={2}
            maxRows={10}
            maxLength={MAX_COMMENT_CHARS}
            onChange={({ currentTarget: { value, selectionStart } }) => read(value, selectionStart)}
            onBlur={() => combobox.closeDropdown()}
            onKeyDown={(event) => {
              if (event.key === "Escape" && isOpen) {
                event.stopPropagation();
                combobox.closeDropdown();
              }
              if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
                event.preventDefault();
                void submit();
              }
            }}
          />
        </Combobox.Target>
        <Combobox.Dropdown hidden={!isOpen}>
          <Combobox.Options aria-label={t("lessonComments.people")}>
            {found.map(({ id, name }) => (
              <Combobox.Option key={id} value={id}>
                {name}
              </Combobox.Option>
            ))}
          </Combobox.Options>
        </Combobox.Dropdown>
      </Combobox>
      <div className={classes.buttons}>
        <Button type="submit" size="xs" loading={isSending} disabled={text.trim() === ""}>
          {submitLabel}
        </Button>
        {onCancel && (
          <Button variant="default" size="xs" onClick={onCancel}>
            {t("lessonComments.cancel")}
          </Button>
        )}
      </div>
    </form>
  );
}

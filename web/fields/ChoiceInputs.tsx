import { ActionIcon, Button, Input, TextInput } from "@mantine/core";
import { IconPlus, IconX } from "@tabler/icons-react";
import { type ClipboardEvent, type ReactNode, useRef } from "react";
import { useTranslation } from "react-i18next";
import classes from "#web/fields/fields.module.css";
import { MAX_FIELD_CHOICES } from "#shared/fields/fields.ts";

export type EditedChoice = { id?: string | undefined; name: string };
type Props = { choices: EditedChoice[]; error: ReactNode; onChange: (choices: EditedChoice[]) => void };

/** The choices of a field, one input each. Pasted lines become choices. */
export function ChoiceInputs({ choices, error, onChange }: Props) {
  const { t } = useTranslation();
  const list = useRef<HTMLDivElement>(null);
  const focusInput = (at: number) => requestAnimationFrame(() => list.current?.querySelectorAll("input")[at]?.focus());
  const add = () => {
    onChange([...choices, { name: "" }]);
    focusInput(choices.length);
  };
  const paste = (event: ClipboardEvent, at: number) => {
    const lines = event.clipboardData
      .getData("text")
      .split(/[\r\n\t]+/)
      .map((line) => line.trim().slice(0, 120));
    const names = lines.filter(Boolean);
    if (names.length < 2) return;
    event.preventDefault();
    const [first = "", ...others] = names;
    const pasted = choices.with(at, { ...choices[at], name: first });
    onChange(pasted.toSpliced(at + 1, 0, ...others.map((name) => ({ name }))).slice(0, MAX_FIELD_CHOICES));
  };
  return (
    <fieldset className={classes.fieldset}>
      <legend className={classes.legend}>{t("fields.choices")}</legend>
      <div ref={list} className={classes.choices}>
        {choices.map((choice, at) => (
          <div key={choice.id ?? at} className={classes.choice}>
            <TextInput
              aria-label={t("fields.choice", { number: at + 1 })}
              maxLength={120}
              autoComplete="off"
              value={choice.name}
              onChange={(event) => onChange(choices.with(at, { ...choice, name: event.currentTarget.value }))}
              onPaste={(event) => paste(event, at)}
              onKeyDown={(event) => {
                if (event.key !== "Enter" || choice.name === "") return;
                event.preventDefault();
                if (at === choices.length - 1) add();
                else focusInput(at + 1);
              }}
            />
            <ActionIcon
              variant="subtle"
              size={36}
              aria-label={t("fields.removeChoice", { number: at + 1 })}
              onClick={() => {
                onChange(choices.toSpliced(at, 1));
                focusInput(Math.max(0, at - 1));
              }}
            >
              <IconX size={16} stroke={1.8} />
            </ActionIcon>
          </div>
        ))}
      </div>
      {error && <Input.Error mt={6}>{error}</Input.Error>}
      {choices.length < MAX_FIELD_CHOICES && (
        <Button
          variant="subtle"
          size="compact-sm"
          mt="xs"
          leftSection={<IconPlus size={16} stroke={1.8} />}
          onClick={add}
        >
          {t("fields.addChoice")}
        </Button>
      )}
      <Input.Description mt={4}>{t("fields.pasteHint")}</Input.Description>
    </fieldset>
  );
}

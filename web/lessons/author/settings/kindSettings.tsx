import { Button, SegmentedControl, Select, TagsInput, TextInput } from "@mantine/core";
import { addColumnAfter, addRowAfter, deleteColumn, deleteRow } from "@tiptap/pm/tables";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { pagedQueryFor } from "#web/core/api/api.ts";
import { useAuthor } from "#web/lessons/author/authorContext.ts";
import {
  ChoiceField,
  LongField,
  NumberField,
  SwitchField,
  TextField,
  VariableField,
} from "#web/lessons/author/settings/fields.tsx";
import { MediaSettings } from "#web/lessons/author/settings/MediaSettings.tsx";
import { QuestionSettings } from "#web/lessons/author/settings/QuestionSettings.tsx";
import classes from "#web/lessons/author/settings/settings.module.css";
import { changeSettings, type Settings, textOf } from "#web/lessons/author/settings/settings.ts";
import { chatbots } from "#shared/chatbots/chatbots.ts";
import { linkTarget } from "#shared/lessons/richText.ts";
import { lessonsOf } from "#shared/lessons/outline.ts";
import { buttonPrompts } from "#shared/prompts/buttonPrompts.ts";

/** Text, or a heading of a level. */
function TextStyle({ of }: { of: Settings }) {
  const { t } = useTranslation();
  const isHeading = of.node.type.name === "heading";
  return (
    <Select
      label={t("lessonDrafts.settings.style")}
      allowDeselect={false}
      value={isHeading ? String(of.node.attrs["level"]) : "text"}
      data={["text", "2", "3", "4"].map((value) => ({
        value,
        label: t(`lessonDrafts.settings.styles.${value as "text"}`),
      }))}
      onChange={(value) => {
        const { editor, pos } = of;
        const type = editor.schema.nodes[value === "text" ? "paragraph" : "heading"]!;
        editor.commands.command(({ tr }) => {
          const { id, textId, showWhen } = of.node.attrs;
          tr.setNodeMarkup(pos, type, { id, textId, showWhen, ...(value !== "text" && { level: Number(value) }) });
          return true;
        });
      }}
    />
  );
}

function TableSettings({ of }: { of: Settings }) {
  const { t } = useTranslation();
  const { editor } = of;
  const commands = { addRowAfter, addColumnAfter, deleteRow, deleteColumn };
  return (
    <>
      <SwitchField of={of} name="hasHead" label={t("lessonDrafts.settings.hasHead")} />
      <SwitchField of={of} name="hasHeadColumn" label={t("lessonDrafts.settings.hasHeadColumn")} />
      <TextField of={of} name="caption" label={t("lessonDrafts.settings.tableCaption")} />
      <div className={classes.buttons}>
        {(Object.keys(commands) as (keyof typeof commands)[]).map((name) => (
          <Button
            key={name}
            variant="default"
            size="xs"
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => commands[name](editor.state, editor.view.dispatch)}
          >
            {t(`lessonDrafts.settings.table.${name}`)}
          </Button>
        ))}
      </div>
    </>
  );
}

type Target = { kind: "page"; url: string } | { kind: "lesson"; lessonId: string };
function ButtonSettings({ of }: { of: Settings }) {
  const { t } = useTranslation();
  const { draft, lessonId } = useAuthor();
  const target = (of.node.attrs["target"] ?? { kind: "page", url: "" }) as Target;
  const set = (next: Target) => changeSettings(of, { target: next });
  const others = lessonsOf(draft).filter(({ id }) => id !== lessonId);
  return (
    <>
      <SegmentedControl
        fullWidth
        aria-label={t("lessonDrafts.settings.target")}
        value={target.kind}
        data={(["page", "lesson"] as const).map((value) => ({
          value,
          label: t(`lessonDrafts.settings.targets.${value}`),
        }))}
        onChange={(kind) =>
          set(kind === "page" ? { kind: "page", url: "" } : { kind: "lesson", lessonId: others[0]?.id ?? "" })
        }
      />
      {target.kind === "page" ? (
        <TextInput
          label={t("lessonDrafts.settings.url")}
          placeholder="https://"
          value={target.url}
          maxLength={2000}
          error={target.url !== "" && !linkTarget.safeParse(target.url).success && t("lessonDrafts.toolbar.linkBad")}
          onChange={(event) => set({ kind: "page", url: event.currentTarget.value })}
        />
      ) : (
        <Select
          label={t("lessonDrafts.settings.lesson")}
          data={others.map(({ id, title }) => ({ value: id, label: title }))}
          value={target.lessonId}
          onChange={(value) => value && set({ kind: "lesson", lessonId: value })}
        />
      )}
    </>
  );
}

function ChatbotSettings({ of }: { of: Settings }) {
  const { t } = useTranslation();
  const { data } = useQuery(pagedQueryFor(chatbots.list, { query: { size: 200 } }));
  const first = { value: "", label: t("lessonDrafts.settings.firstChatbot") };
  return (
    <Select
      label={t("lessonDrafts.blocks.chatbot.name")}
      allowDeselect={false}
      data={[first, ...(data?.items ?? []).map(({ id, name }) => ({ value: id, label: name }))]}
      value={textOf(of, "chatbotId")}
      onChange={(value) => changeSettings(of, { chatbotId: value === "" ? null : value })}
    />
  );
}

function PromptSettings({ of }: { of: Settings }) {
  const { t } = useTranslation();
  const { draft } = useAuthor();
  const { data } = useQuery(pagedQueryFor(buttonPrompts.list, { query: { courseId: draft.id } }));
  return (
    <Select
      label={t("lessonDrafts.blocks.prompt.name")}
      placeholder={t("lessonDrafts.settings.choosePrompt")}
      description={data?.items.length === 0 ? t("lessonDrafts.settings.noPrompts") : undefined}
      data={(data?.items ?? []).map(({ key, label }) => ({ value: key, label }))}
      value={textOf(of, "key") || null}
      onChange={(value) => value && changeSettings(of, { key: value })}
    />
  );
}

/** A value in a text: which variable, and what stands there for a learner without a value. */
export function VariableSettings({ of }: { of: Settings }) {
  const { t } = useTranslation();
  return (
    <>
      <VariableField of={of} name="key" label={t("lessonDrafts.settings.variable")} />
      <TextField
        of={of}
        name="fallback"
        label={t("lessonDrafts.settings.fallback")}
        hint={t("lessonDrafts.settings.fallbackHint")}
        max={500}
      />
    </>
  );
}

export function GapSettings({ of }: { of: Settings }) {
  const { t } = useTranslation();
  return (
    <>
      <TagsInput
        label={t("lessonDrafts.settings.answers")}
        description={t("lessonDrafts.settings.answersHint")}
        value={of.node.attrs["answers"] as string[]}
        maxTags={30}
        onChange={(answers) =>
          changeSettings(of, { answers: answers.map((one) => one.trim().slice(0, 200)).filter(Boolean) })
        }
      />
      <SwitchField of={of} name="caseSensitive" label={t("lessonDrafts.settings.caseSensitive")} />
    </>
  );
}

/** What can be set for a block of this kind. */
export function KindSettings({ of }: { of: Settings }) {
  const { t } = useTranslation();
  const name = of.node.type.name;
  const required = <SwitchField of={of} name="required" label={t("lessonDrafts.settings.required")} />;
  const tones = (["note", "tip", "warning", "danger"] as const).map((value) => ({
    value,
    label: t(`lessonDrafts.settings.tones.${value}`),
  }));
  const lists = (["bullets", "numbers"] as const).map((value) => ({
    value,
    label: t(`lessonDrafts.settings.lists.${value}`),
  }));
  const dividers = (["line", "space", "continue"] as const).map((value) => ({
    value,
    label: t(`lessonDrafts.settings.dividers.${value}`),
  }));
  const writes = (
    <VariableField
      of={of}
      name="variable"
      label={t("lessonDrafts.settings.writeTo")}
      hint={t("lessonDrafts.settings.writeToHint")}
    />
  );
  switch (name) {
    case "paragraph":
    case "heading":
      return <TextStyle of={of} />;
    case "list":
      return <ChoiceField of={of} name="style" label={t("lessonDrafts.settings.style")} options={lists} />;
    case "codeBlock":
      return <TextField of={of} name="language" label={t("lessonDrafts.settings.codeLanguage")} max={40} />;
    case "table":
      return <TableSettings of={of} />;
    case "callout":
      return <ChoiceField of={of} name="tone" label={t("lessonDrafts.settings.tone")} options={tones} />;
    case "divider":
      return <ChoiceField of={of} name="style" label={t("lessonDrafts.settings.style")} options={dividers} />;
    case "image":
    case "video":
    case "audio":
    case "file":
      return <MediaSettings of={of} />;
    case "checklist":
      return required;
    case "button":
      return <ButtonSettings of={of} />;
    case "question":
      return <QuestionSettings of={of} />;
    case "reflection":
      return (
        <>
          {writes}
          {required}
        </>
      );
    case "rating":
      return (
        <>
          {writes}
          <NumberField of={of} name="steps" label={t("lessonDrafts.settings.steps")} min={2} max={10} />
          <TextField of={of} name="lowLabel" label={t("lessonDrafts.settings.lowLabel")} max={100} />
          <TextField of={of} name="highLabel" label={t("lessonDrafts.settings.highLabel")} max={100} />
          {required}
        </>
      );
    case "slider":
      return (
        <>
          {writes}
          <div className={classes.two}>
            <NumberField of={of} name="min" label={t("lessonDrafts.settings.min")} decimals />
            <NumberField of={of} name="max" label={t("lessonDrafts.settings.max")} decimals />
            <NumberField of={of} name="step" label={t("lessonDrafts.settings.step")} decimals />
            <TextField of={of} name="unit" label={t("lessonDrafts.question.unit")} max={30} />
          </div>
          {required}
        </>
      );
    case "chatbot":
      return <ChatbotSettings of={of} />;
    case "prompt":
      return <PromptSettings of={of} />;
    case "scenario":
      return (
        <>
          {required}
          <SwitchField of={of} name="shuffle" label={t("scenarioDrafts.shuffle")} />
          <SwitchField of={of} name="mayGoBack" label={t("scenarioDrafts.mayGoBack")} />
        </>
      );
    case "confirmation":
      return (
        <LongField
          of={of}
          name="meaning"
          label={t("lessonDrafts.settings.meaning")}
          hint={t("lessonDrafts.settings.meaningHint")}
          max={500}
        />
      );
    default:
      return null;
  }
}

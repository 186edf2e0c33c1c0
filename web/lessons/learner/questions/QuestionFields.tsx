import { IconArrowDown, IconArrowUp, IconCheck } from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useLesson } from "#web/lessons/learner/lessonContext.ts";
import { type Draft, TEXT } from "#web/lessons/learner/questions/draft.ts";
import { Runs } from "#web/lessons/learner/Runs.tsx";
import classes from "#web/lessons/learner/questions/questions.module.css";
import type { Reveal } from "#shared/lessons/judge.ts";
import { plainText, type RichText } from "#shared/lessons/richText.ts";
import type { ShownQuestion } from "#shared/lessons/shownQuestions.ts";

type FieldsProps<Q = ShownQuestion> = {
  question: Q;
  draft: Draft;
  name: string;
  /** What is said of the answer that is shown. */
  reveal: Reveal | undefined;
  disabled: boolean;
  onChange: (draft: Draft) => void;
};
type PropsOf<K extends ShownQuestion["kind"]> = FieldsProps<Extract<ShownQuestion, { kind: K }>>;

export function QuestionFields(props: FieldsProps) {
  const { question } = props;
  switch (question.kind) {
    case "single":
    case "multiple":
      return <Choices {...props} question={question} />;
    case "trueFalse":
      return <TrueFalse {...props} />;
    case "match":
      return <Match {...props} question={question} />;
    case "order":
      return <Order {...props} question={question} />;
    case "fill":
      return <Fill {...props} question={question} />;
    case "number":
      return <TextField {...props} unit={question.unit} inputMode="decimal" />;
    case "shortText":
      return <TextField {...props} unit="" inputMode="text" />;
  }
}

function Choices({ question, draft, name, reveal, disabled, onChange }: PropsOf<"single" | "multiple">) {
  const isSingle = question.kind === "single";
  const right = reveal?.solution?.kind === "choices" ? reveal.solution.right : null;
  const toggle = (id: string) => {
    if (isSingle) return onChange({ ...draft, chosen: [id] });
    const chosen = draft.chosen.includes(id) ? draft.chosen.filter((one) => one !== id) : [...draft.chosen, id];
    onChange({ ...draft, chosen });
  };
  const markOf = (id: string): Mark | null => {
    if (!reveal) return null;
    const isChosen = draft.chosen.includes(id);
    if (right?.includes(id)) return isChosen ? "right" : "alsoRight";
    if (right) return isChosen ? "notThis" : null;
    return isChosen && isSingle ? "notThis" : null;
  };
  return (
    <ol className={classes.choices}>
      {question.choices.map(({ id, text }) => (
        <Choice
          key={id}
          type={isSingle ? "radio" : "checkbox"}
          name={name}
          text={text}
          isChosen={draft.chosen.includes(id)}
          mark={markOf(id)}
          said={reveal?.choices[id]}
          disabled={disabled}
          onChange={() => toggle(id)}
        />
      ))}
    </ol>
  );
}

type Mark = "right" | "notThis" | "alsoRight";
const markFor = (isRight: boolean | null): Mark | undefined => {
  if (isRight === null) return undefined;
  return isRight ? "right" : "notThis";
};
type ChoiceProps = {
  type: "radio" | "checkbox";
  name: string;
  text: RichText | string;
  isChosen: boolean;
  mark: Mark | null;
  said?: RichText | undefined;
  disabled: boolean;
  onChange: () => void;
};

function Choice({ type, name, text, isChosen, mark, said, disabled, onChange }: ChoiceProps) {
  const { t } = useTranslation();
  return (
    <li>
      <label className={classes.choice} data-chosen={isChosen || undefined} data-mark={mark ?? undefined}>
        <input type={type} name={name} checked={isChosen} disabled={disabled} onChange={onChange} />
        <span className={classes.choiceText}>
          <span>{typeof text === "string" ? text : <Runs text={text} />}</span>
          {said && (
            <span className={classes.said}>
              <Runs text={said} />
            </span>
          )}
        </span>
        {mark && (
          <span className={classes.mark}>
            {mark === "right" && <IconCheck size={18} stroke={2} aria-hidden />}
            {t(mark === "alsoRight" && type === "radio" ? "lessons.marks.right" : `lessons.marks.${mark}`)}
          </span>
        )}
      </label>
    </li>
  );
}

function TrueFalse({ draft, name, reveal, disabled, onChange }: FieldsProps) {
  const { t } = useTranslation();
  const markOf = (value: string): Mark | null => {
    if (!reveal || !draft.chosen.includes(value)) return null;
    return reveal.result === "right" ? "right" : "notThis";
  };
  return (
    <ol className={classes.choices}>
      {(["true", "false"] as const).map((value) => (
        <Choice
          key={value}
          type="radio"
          name={name}
          text={t(`lessons.${value}`)}
          isChosen={draft.chosen.includes(value)}
          mark={markOf(value)}
          disabled={disabled}
          onChange={() => onChange({ ...draft, chosen: [value] })}
        />
      ))}
    </ol>
  );
}

/** Each left text with a list of the right ones: by keyboard, touch and screen reader alike. */
function Match({ question, draft, reveal, disabled, onChange }: PropsOf<"match">) {
  const { t } = useTranslation();
  const pairs = reveal?.solution?.kind === "match" ? reveal.solution.pairs : null;
  const [moved, setMoved] = useState<{ left: string; right: string } | null>(null);
  const textOf = (list: { id: string; text: RichText }[], id: string) =>
    list.filter((one) => one.id === id).map(({ text }) => plainText(text))[0] ?? "";
  const choose = (left: string, right: string) => {
    const before = Object.keys(draft.pairs).find((key) => key !== left && right !== "" && draft.pairs[key] === right);
    setMoved(before === undefined ? null : { left: before, right });
    // A right text goes with one left text only.
    const others = Object.entries(draft.pairs).filter(([key, value]) => key !== left && value !== right);
    onChange({ ...draft, pairs: { ...Object.fromEntries(others), ...(right && { [left]: right }) } });
  };
  return (
    <>
      <ol className={classes.match}>
        {question.lefts.map(({ id, text }) => {
          const isRight = pairs ? pairs[id] === draft.pairs[id] : null;
          return (
            <li key={id} data-mark={markFor(isRight)}>
              <span id={`left-${id}`}>
                <Runs text={text} />
              </span>
              <span className={classes.matched}>
                <select
                  aria-labelledby={`left-${id}`}
                  value={draft.pairs[id] ?? ""}
                  disabled={disabled}
                  onChange={({ target }) => choose(id, target.value)}
                >
                  <option value="">{t("lessons.chooseMatch")}</option>
                  {question.rights.map((right) => (
                    <option key={right.id} value={right.id}>
                      {plainText(right.text)}
                    </option>
                  ))}
                </select>
                {isRight !== null && (
                  <span className={classes.mark}>{t(`lessons.marks.${isRight ? "right" : "notThis"}`)}</span>
                )}
              </span>
            </li>
          );
        })}
      </ol>
      <p className={classes.hint} role="status">
        {moved &&
          t("lessons.matchTaken", {
            right: textOf(question.rights, moved.right),
            left: textOf(question.lefts, moved.left),
          })}
      </p>
    </>
  );
}

function Order({ question, draft, reveal, disabled, onChange }: PropsOf<"order">) {
  const { t } = useTranslation();
  const textOf = new Map(question.items.map(({ id, text }) => [id, text]));
  const right = reveal?.solution?.kind === "order" ? reveal.solution.ids : null;
  const move = (from: number, by: number) => {
    const ids = [...draft.ids];
    const [moved] = ids.splice(from, 1);
    if (moved !== undefined) ids.splice(from + by, 0, moved);
    onChange({ ...draft, ids });
  };
  return (
    <ol className={classes.order}>
      {draft.ids.map((id, index) => {
        const text = textOf.get(id);
        if (!text) return null;
        const isRight = right ? right[index] === id : null;
        const label = plainText(text);
        return (
          <li key={id} data-mark={markFor(isRight)}>
            <span className={classes.number}>{index + 1}</span>
            <span className={classes.choiceText}>
              <Runs text={text} />
            </span>
            {isRight !== null && (
              <span className={classes.mark}>{t(`lessons.marks.${isRight ? "right" : "notThis"}`)}</span>
            )}
            <button
              type="button"
              aria-label={t("lessons.moveUp", { text: label })}
              disabled={disabled || index === 0}
              onClick={() => move(index, -1)}
            >
              <IconArrowUp size={18} stroke={1.7} />
            </button>
            <button
              type="button"
              aria-label={t("lessons.moveDown", { text: label })}
              disabled={disabled || index === draft.ids.length - 1}
              onClick={() => move(index, 1)}
            >
              <IconArrowDown size={18} stroke={1.7} />
            </button>
          </li>
        );
      })}
    </ol>
  );
}

function Fill({ question, draft, disabled, onChange }: PropsOf<"fill">) {
  const { t } = useTranslation();
  const gaps = question.pieces.filter(({ kind }) => kind === "gap");
  return (
    <p className={classes.fill}>
      {question.pieces.map((piece, index) =>
        piece.kind === "text" ? (
          <span key={index}>{piece.text}</span>
        ) : (
          <input
            key={piece.id}
            type="text"
            aria-label={t("lessons.gap", { at: gaps.indexOf(piece) + 1, total: gaps.length })}
            value={draft.texts[piece.id] ?? ""}
            maxLength={200}
            disabled={disabled}
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            onChange={({ target }) => onChange({ ...draft, texts: { ...draft.texts, [piece.id]: target.value } })}
          />
        ),
      )}
    </p>
  );
}

type TextFieldProps = FieldsProps & { unit: string; inputMode: "text" | "decimal" };

function TextField({ question, draft, disabled, unit, inputMode, onChange }: TextFieldProps) {
  const { lesson } = useLesson();
  return (
    <p className={classes.field}>
      <input
        type="text"
        inputMode={inputMode}
        aria-label={plainText(question.text)}
        lang={lesson.document.language}
        value={draft.texts[TEXT] ?? ""}
        maxLength={inputMode === "text" ? 300 : 30}
        disabled={disabled}
        autoComplete="off"
        onChange={({ target }) => onChange({ ...draft, texts: { [TEXT]: target.value } })}
      />
      {unit && <span>{unit}</span>}
    </p>
  );
}

import { useForm } from "@mantine/form";
import type { z } from "zod";
import { type SeenKey, type Variable, type variableAccess, variableInput } from "#shared/variables/variables.ts";
import type { Constraints, VariableType, VariableValue } from "#shared/variables/variableTypes.ts";

export type CourseUse = {
  courseId: string;
  title: string;
  access: z.infer<typeof variableAccess>;
  path: string | null;
};
/** Form values: numbers may be empty while they are edited, and the default value is a text. */
export type VariableFormValues = Omit<
  z.infer<typeof variableInput>,
  "constraints" | "courses" | "defaultValue" | "retentionDays"
> & {
  limits: { min: number | ""; max: number | ""; step: number | ""; maxLength: number | "" };
  options: string[];
  defaultText: string;
  retention: number | "";
  courses: CourseUse[];
};

const emptyLimits = { min: "", max: "", step: "", maxLength: "" } as const;

export const isMeasured = (type: VariableType) => type === "number" || type === "duration";
export const hasOptions = (type: VariableType) => type === "choice" || type === "multi";

/** The name that a key suggests: `self_rating` is “Self rating”. */
const labelOf = (key: string) => {
  const words = key.replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
};

function initialValues(variable: Variable | undefined, seenKey: SeenKey | undefined): VariableFormValues {
  if (!variable) {
    const defaults = variableInput.parse({
      key: seenKey?.key ?? "key",
      label: labelOf(seenKey?.key ?? "key"),
      type: seenKey?.type ?? "number",
    });
    const courses = seenKey
      ? [{ courseId: seenKey.courseId, title: seenKey.course, access: "both" as const, path: null }]
      : [];
    return {
      ...defaults,
      ...(!seenKey && { key: "", label: "" }),
      limits: emptyLimits,
      options: [],
      defaultText: "",
      retention: "",
      courses,
    };
  }
  const { constraints, defaultValue, retentionDays, courses, ...rest } = variable;
  return {
    ...rest,
    limits: {
      min: constraints.min ?? "",
      max: constraints.max ?? "",
      step: constraints.step ?? "",
      maxLength: constraints.maxLength ?? "",
    },
    options: constraints.options ?? [],
    defaultText: textOf(defaultValue),
    retention: retentionDays ?? "",
    courses: courses.map(({ courseId, title, access, path }) => ({ courseId, title, access, path })),
  };
}

const textOf = (value: VariableValue) => {
  if (value === null) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
};

function constraintsOf({ type, limits, options }: VariableFormValues): Constraints {
  const { min, max, step, maxLength } = limits;
  return {
    ...(isMeasured(type) && min !== "" && { min }),
    ...(isMeasured(type) && max !== "" && { max }),
    ...(isMeasured(type) && step !== "" && { step }),
    ...(type === "text" && maxLength !== "" && { maxLength }),
    ...(hasOptions(type) && options.length > 0 && { options }),
  };
}

/** The input for the server, without limits that do not apply to the type. */
export function toInput(values: VariableFormValues) {
  const { key, label, description, type, unit, scope, writeMode, privacy } = values;
  const { learnerVisible, learnerEditable, usableInPrompts, leaderboard, defaultText, retention, courses } = values;
  return {
    key,
    label: label.trim(),
    description: description.trim(),
    type,
    unit: unit.trim(),
    constraints: constraintsOf(values),
    scope,
    writeMode,
    defaultValue: defaultText.trim() === "" ? null : defaultText.trim(),
    privacy,
    learnerVisible,
    learnerEditable: learnerVisible && learnerEditable,
    usableInPrompts,
    leaderboard: leaderboard && isMeasured(type) && scope !== "company" && privacy !== "sensitive",
    retentionDays: retention === "" ? null : retention,
    courses: courses.map(({ courseId, access, path }) => ({ courseId, access, path: access === "read" ? null : path })),
  };
}

export const useVariableForm = (variable: Variable | undefined, seenKey: SeenKey | undefined) =>
  useForm<VariableFormValues>({ initialValues: initialValues(variable, seenKey) });
export type VariableForm = ReturnType<typeof useVariableForm>;

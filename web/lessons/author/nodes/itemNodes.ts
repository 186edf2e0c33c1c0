import { ReactNodeViewRenderer } from "@tiptap/react";
import { lessonNode } from "#web/lessons/author/nodes/lessonNode.ts";
import { ChoiceView, PairView } from "#web/lessons/author/nodes/ChoiceView.tsx";
import { GapView } from "#web/lessons/author/nodes/GapView.tsx";
import { ItemsView } from "#web/lessons/author/nodes/ItemsView.tsx";
import { MediaView } from "#web/lessons/author/nodes/MediaView.tsx";
import { QuestionView } from "#web/lessons/author/nodes/QuestionView.tsx";
import { OptionView } from "#web/lessons/author/scenario/OptionView.tsx";
import { ScenarioView } from "#web/lessons/author/scenario/ScenarioView.tsx";
import { StepView } from "#web/lessons/author/scenario/StepView.tsx";
import { SampleView } from "#web/lessons/author/nodes/SampleView.tsx";
import { VariableView } from "#web/lessons/author/nodes/VariableView.tsx";

// Blocks with items, media, and what learners answer

const view = (component: Parameters<typeof ReactNodeViewRenderer>[0]) => ({
  addNodeView: () => ReactNodeViewRenderer(component),
});
const contained = { defining: true, isolating: true } as const;

const Item = lessonNode({ name: "item", content: "inline*", defining: true, tag: "li" });
const TitledItem = lessonNode({ name: "titledItem", content: "richText*", ...contained, tag: "section" });
const Card = lessonNode({ name: "card", content: "richText*", ...contained, tag: "section" });

const titled = (name: string) =>
  lessonNode({ name, group: "block", content: "titledItem*", ...contained, ...view(ItemsView) });

const media = (name: string, attributes: Record<string, unknown>, content?: string) =>
  lessonNode({
    name,
    group: "block",
    ...(content && { content }),
    ...contained,
    draggable: false,
    attributes: { file: null, ...attributes },
    ...view(MediaView),
  });

const answered = (name: string, attributes: Record<string, unknown>, content = "inline*") =>
  lessonNode({ name, group: "block", content, ...contained, attributes, ...view(SampleView) });

export const itemNodes = [
  Item,
  TitledItem,
  Card,
  titled("accordion"),
  titled("tabs"),
  titled("process"),
  lessonNode({ name: "flashcards", group: "block", content: "card*", ...contained, ...view(ItemsView) }),
  lessonNode({
    name: "checklist",
    group: "block",
    content: "item*",
    ...contained,
    attributes: { required: false },
    ...view(ItemsView),
  }),
  media("image", { alt: "", isDecorative: false, width: "text" }, "richText*"),
  media("video", { title: "", captions: [], required: false, noSkipping: false }, "richText*"),
  media("audio", { title: "", required: false }, "richText*"),
  media("file", { title: "" }),
  lessonNode({
    name: "question",
    group: "block",
    content: "(richText | choice | pair | item | gapText | plain | feedback)*",
    ...contained,
    attributes: {
      kind: "single",
      graded: false,
      points: 1,
      tries: null,
      required: true,
      shuffle: true,
      isTrue: true,
      caseSensitive: false,
      answer: null,
      tolerance: 0,
      unit: "",
      pool: null,
      lessonId: null,
    },
    ...view(QuestionView),
  }),
  lessonNode({
    name: "choice",
    content: "(richText | feedback)*",
    ...contained,
    attributes: { isRight: false },
    ...view(ChoiceView),
  }),
  lessonNode({ name: "pair", content: "richText*", ...contained, ...view(PairView) }),
  lessonNode({ name: "gapText", content: "(text | gap)*", marks: "", defining: true, tag: "p" }),
  lessonNode({
    name: "gap",
    group: "gaps",
    inline: true,
    atom: true,
    selectable: true,
    attributes: { answers: [], caseSensitive: false },
    tag: "span",
    ...view(GapView),
  }),
  lessonNode({
    name: "variable",
    group: "inline",
    inline: true,
    atom: true,
    selectable: true,
    attributes: { key: "", fallback: "" },
    tag: "span",
    renderText: ({ node }) => String(node.attrs["fallback"]),
    ...view(VariableView),
  }),
  lessonNode({
    name: "button",
    group: "block",
    content: "text*",
    marks: "",
    ...contained,
    attributes: { target: null },
    ...view(SampleView),
  }),
  answered("reflection", { variable: "", required: false }),
  answered("rating", { variable: "", steps: 5, lowLabel: "", highLabel: "", required: false }),
  answered("slider", { variable: "", min: 0, max: 100, step: 1, unit: "", required: false }),
  answered("chatbot", { chatbotId: null }),
  answered("prompt", { key: "" }),
  answered("confirmation", { meaning: "" }, "richText*"),
  lessonNode({
    name: "scenario",
    group: "block",
    content: "step*",
    ...contained,
    attributes: { title: "", shuffle: true, mayGoBack: false, required: true },
    ...view(ScenarioView),
  }),
  lessonNode({
    name: "step",
    content: "(richText | option)*",
    ...contained,
    tag: "section",
    attributes: { key: null, title: "", ending: null, variable: "", at: null },
    ...view(StepView),
  }),
  lessonNode({
    name: "option",
    content: "(richText | feedback)*",
    ...contained,
    attributes: { to: null, points: 0 },
    ...view(OptionView),
  }),
];

import {
  IconAbc,
  IconAdjustmentsHorizontal,
  IconAlignLeft,
  IconArrowsDownUp,
  IconArrowsLeftRight,
  IconBlockquote,
  IconCards,
  IconCheckbox,
  IconCircleDot,
  IconCode,
  IconCursorText,
  IconForms,
  IconGitFork,
  IconH2,
  IconInfoCircle,
  IconLayoutList,
  IconLayoutNavbar,
  IconLink,
  IconList,
  IconListCheck,
  IconListNumbers,
  IconMessageChatbot,
  IconMovie,
  IconMusic,
  IconNumber123,
  IconPaperclip,
  IconPencil,
  IconPhoto,
  IconSeparatorHorizontal,
  IconSignature,
  IconStairsUp,
  IconStars,
  IconTable,
  IconToggleLeft,
  IconWand,
  type Icon,
} from "@tabler/icons-react";
import type { Node } from "@tiptap/pm/model";
import type { BlockName } from "#web/lessons/author/nodes/templates.ts";

export const groups = ["text", "media", "interaction", "question", "ai"] as const;
export type Group = (typeof groups)[number];

export const blockKinds: Record<BlockName, { group: Group; icon: Icon }> = {
  text: { group: "text", icon: IconAlignLeft },
  heading: { group: "text", icon: IconH2 },
  list: { group: "text", icon: IconList },
  numbers: { group: "text", icon: IconListNumbers },
  table: { group: "text", icon: IconTable },
  callout: { group: "text", icon: IconInfoCircle },
  quote: { group: "text", icon: IconBlockquote },
  code: { group: "text", icon: IconCode },
  divider: { group: "text", icon: IconSeparatorHorizontal },
  image: { group: "media", icon: IconPhoto },
  video: { group: "media", icon: IconMovie },
  audio: { group: "media", icon: IconMusic },
  file: { group: "media", icon: IconPaperclip },
  button: { group: "media", icon: IconLink },
  accordion: { group: "interaction", icon: IconLayoutList },
  tabs: { group: "interaction", icon: IconLayoutNavbar },
  process: { group: "interaction", icon: IconStairsUp },
  flashcards: { group: "interaction", icon: IconCards },
  checklist: { group: "interaction", icon: IconListCheck },
  reflection: { group: "interaction", icon: IconPencil },
  rating: { group: "interaction", icon: IconStars },
  slider: { group: "interaction", icon: IconAdjustmentsHorizontal },
  confirmation: { group: "interaction", icon: IconSignature },
  scenario: { group: "interaction", icon: IconGitFork },
  single: { group: "question", icon: IconCircleDot },
  multiple: { group: "question", icon: IconCheckbox },
  trueFalse: { group: "question", icon: IconToggleLeft },
  match: { group: "question", icon: IconArrowsLeftRight },
  order: { group: "question", icon: IconArrowsDownUp },
  fill: { group: "question", icon: IconForms },
  number: { group: "question", icon: IconNumber123 },
  shortText: { group: "question", icon: IconCursorText },
  chatbot: { group: "ai", icon: IconMessageChatbot },
  prompt: { group: "ai", icon: IconWand },
};
export const TextIcon = IconAbc;

/** The kind of block that a node is. */
export function kindOfNode({ type, attrs }: Pick<Node, "type" | "attrs">): BlockName {
  if (type.name === "paragraph") return "text";
  if (type.name === "codeBlock") return "code";
  if (type.name === "list") return attrs["style"] === "numbers" ? "numbers" : "list";
  if (type.name === "question") return attrs["kind"] as BlockName;
  return type.name as BlockName;
}

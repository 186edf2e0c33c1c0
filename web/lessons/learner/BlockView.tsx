import { AudioBlock, FileBlock, ImageBlock, VideoBlock } from "#web/lessons/learner/MediaBlocks.tsx";
import { ChatbotBlock, ConfirmationBlock, PromptBlock } from "#web/lessons/learner/AskBlocks.tsx";
import {
  AccordionBlock,
  ButtonBlock,
  ChecklistBlock,
  FlashcardsBlock,
  ProcessBlock,
  TabsBlock,
} from "#web/lessons/learner/GroupBlocks.tsx";
import { RatingBlock, ReflectionBlock, SliderBlock } from "#web/lessons/learner/InputBlocks.tsx";
import { QuestionBlock } from "#web/lessons/learner/questions/QuestionBlock.tsx";
import { ScenarioBlock } from "#web/lessons/learner/scenario/ScenarioBlock.tsx";
import {
  CalloutBlock,
  CodeBlock,
  DividerBlock,
  HeadingBlock,
  ListBlock,
  ParagraphBlock,
  QuoteBlock,
  TableBlock,
} from "#web/lessons/learner/TextBlocks.tsx";
import type { ShownBlock } from "#shared/lessons/shownLesson.ts";

export function BlockView({ block }: { block: ShownBlock }) {
  switch (block.kind) {
    case "heading":
      return <HeadingBlock block={block} />;
    case "paragraph":
      return <ParagraphBlock block={block} />;
    case "list":
      return <ListBlock block={block} />;
    case "quote":
      return <QuoteBlock block={block} />;
    case "code":
      return <CodeBlock block={block} />;
    case "table":
      return <TableBlock block={block} />;
    case "callout":
      return <CalloutBlock block={block} />;
    case "divider":
      return <DividerBlock block={block} />;
    case "image":
      return <ImageBlock block={block} />;
    case "video":
      return <VideoBlock block={block} />;
    case "audio":
      return <AudioBlock block={block} />;
    case "file":
      return <FileBlock block={block} />;
    case "accordion":
      return <AccordionBlock block={block} />;
    case "tabs":
      return <TabsBlock block={block} />;
    case "process":
      return <ProcessBlock block={block} />;
    case "flashcards":
      return <FlashcardsBlock block={block} />;
    case "checklist":
      return <ChecklistBlock block={block} />;
    case "button":
      return <ButtonBlock block={block} />;
    case "question":
      return <QuestionBlock block={block} />;
    case "reflection":
      return <ReflectionBlock block={block} />;
    case "rating":
      return <RatingBlock block={block} />;
    case "slider":
      return <SliderBlock block={block} />;
    case "chatbot":
      return <ChatbotBlock block={block} />;
    case "prompt":
      return <PromptBlock block={block} />;
    case "confirmation":
      return <ConfirmationBlock block={block} />;
    case "scenario":
      return <ScenarioBlock block={block} />;
  }
}

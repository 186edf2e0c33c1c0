import { Button } from "@mantine/core";
import { IconArrowsDiff } from "@tabler/icons-react";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { ComparisonDialog } from "#web/chatbots/comparison/ComparisonDialog.tsx";

type Props = { questionId: string; answerId?: string | null; className?: string | undefined };

/** A button next to a question in transcripts: asks the published version of the chatbot the same question. */
export function AskTodayButton({ questionId, answerId = null, className }: Props) {
  const { t } = useTranslation();
  const [isOpen, setIsOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const wasOpen = useRef(false);
  // The dialog is unmounted when it closes, and the focused element with it.
  useEffect(() => {
    if (wasOpen.current && !isOpen) button.current?.focus({ preventScroll: true });
    wasOpen.current = isOpen;
  }, [isOpen]);
  return (
    <>
      <Button
        ref={button}
        variant="subtle"
        size="compact-xs"
        className={className ?? ""}
        leftSection={<IconArrowsDiff size={15} stroke={1.7} />}
        onClick={() => setIsOpen(true)}
      >
        {t("chatbots.compare.ask")}
      </Button>
      {isOpen && <ComparisonDialog questionId={questionId} answerId={answerId} onClose={() => setIsOpen(false)} />}
    </>
  );
}

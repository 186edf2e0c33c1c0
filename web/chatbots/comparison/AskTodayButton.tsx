import { Button } from "@mantine/core";
import { IconArrowsDiff } from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { ComparisonDialog } from "#web/chatbots/comparison/ComparisonDialog.tsx";

type Props = { questionId: string; answerId?: string | null; className?: string | undefined };

/** Beside a question that admins read: asks the published version of the chatbot the same question. */
export function AskTodayButton({ questionId, answerId = null, className }: Props) {
  const { t } = useTranslation();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button
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

import { ActionIcon, Menu } from "@mantine/core";
import { IconCopy, IconDots, IconFileExport, IconFileImport } from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { DuplicateDialog } from "#web/lessons/author/transfer/DuplicateDialog.tsx";
import { ExportDialog } from "#web/lessons/author/transfer/ExportDialog.tsx";
import { ImportDialog } from "#web/lessons/author/transfer/ImportDialog.tsx";
import type { CourseDraft } from "#shared/lessons/drafts.ts";

type Props = { draft: CourseDraft; flush: () => Promise<void>; onOpen: (lessonId: string) => void };

/** What leads into the course and out of it. */
export function TransferMenu({ draft, flush, onOpen }: Props) {
  const { t } = useTranslation();
  const [open, setOpen] = useState<"import" | "export" | "copy" | null>(null);
  const close = () => setOpen(null);
  return (
    <>
      <Menu position="bottom-end" width={210}>
        <Menu.Target>
          <ActionIcon variant="default" size={36} aria-label={t("lessonDrafts.more")}>
            <IconDots size={19} stroke={1.7} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconFileImport size={18} stroke={1.7} />} onClick={() => setOpen("import")}>
            {t("lessonDrafts.import.action")}
          </Menu.Item>
          <Menu.Item leftSection={<IconFileExport size={18} stroke={1.7} />} onClick={() => setOpen("export")}>
            {t("lessonDrafts.export.action")}
          </Menu.Item>
          <Menu.Item leftSection={<IconCopy size={18} stroke={1.7} />} onClick={() => setOpen("copy")}>
            {t("lessonDrafts.copy.action")}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <ImportDialog draft={draft} opened={open === "import"} onClose={close} onOpen={onOpen} />
      <ExportDialog draft={draft} flush={flush} opened={open === "export"} onClose={close} />
      <DuplicateDialog course={draft} flush={flush} opened={open === "copy"} onClose={close} />
    </>
  );
}

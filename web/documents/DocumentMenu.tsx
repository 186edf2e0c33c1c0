import { Menu } from "@mantine/core";
import { IconArchive, IconArrowRight, IconPlayerPlay, IconRefresh, IconSettings, IconTrash } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { isWorking, type useDocumentActions } from "#web/documents/useDocumentActions.ts";
import type { DocumentRow } from "#shared/documents/documents.ts";

const icon = { size: 18, stroke: 1.7 };
type Props = { document: DocumentRow; actions: ReturnType<typeof useDocumentActions> };

/** Menu items of a document. */
export function DocumentMenu({ document, actions }: Props) {
  const { t } = useTranslation();
  const path = `/admin/documents/${document.id}`;
  return (
    <>
      <Menu.Item component={Link} to={path} leftSection={<IconArrowRight {...icon} />}>
        {t("documents.menu.open")}
      </Menu.Item>
      <Menu.Item component={Link} to={`${path}?tab=settings`} leftSection={<IconSettings {...icon} />}>
        {t("documents.menu.settings")}
      </Menu.Item>
      {!isWorking(document) && (
        <Menu.Item leftSection={<IconRefresh {...icon} />} onClick={() => void actions.indexAgain(document)}>
          {t("documents.menu.indexAgain")}
        </Menu.Item>
      )}
      <Menu.Divider />
      {document.status === "archived" ? (
        <Menu.Item leftSection={<IconPlayerPlay {...icon} />} onClick={() => void actions.restore(document)}>
          {t("documents.menu.restore")}
        </Menu.Item>
      ) : (
        <Menu.Item leftSection={<IconArchive {...icon} />} onClick={() => actions.archive(document)}>
          {t("documents.menu.archive")}
        </Menu.Item>
      )}
      <Menu.Item color="red" leftSection={<IconTrash {...icon} />} onClick={() => actions.remove(document)}>
        {t("documents.menu.remove")}
      </Menu.Item>
    </>
  );
}

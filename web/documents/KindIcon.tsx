import {
  IconBadgeCc,
  IconFileText,
  IconFileTypeDocx,
  IconFileTypePdf,
  IconFileTypeXls,
  IconPresentation,
  IconWorld,
} from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import classes from "#web/documents/documents.module.css";
import type { DocumentKind } from "#shared/documents/documentVersions.ts";

const icons: Partial<Record<DocumentKind, typeof IconFileText>> = {
  pdf: IconFileTypePdf,
  docx: IconFileTypeDocx,
  odt: IconFileTypeDocx,
  pptx: IconPresentation,
  xlsx: IconFileTypeXls,
  html: IconWorld,
  subtitles: IconBadgeCc,
};

export function KindIcon({ kind }: { kind: DocumentKind }) {
  const { t } = useTranslation();
  const Icon = icons[kind] ?? IconFileText;
  return (
    <span className={classes.kind} data-kind={kind}>
      <Icon size={22} stroke={1.6} role="img" aria-label={t(`documents.kinds.${kind}`)} />
    </span>
  );
}

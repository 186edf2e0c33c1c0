import { IconX } from "@tabler/icons-react";
import { type ReactNode, useEffect, useId, useRef } from "react";
import { useTranslation } from "react-i18next";
import { HeadButton } from "#web/conversations/ChatHead.tsx";
import classes from "#web/conversations/chat.module.css";
import panelsClasses from "#web/conversations/panels.module.css";

type Props = { title: string; line?: string; onClose: () => void; children: ReactNode };

/**
 * A panel at the side of the window; on phones and next to a course, a bottom sheet. Escape closes it and returns the
 * focus.
 */
export function ChatPanel({ title, line, onClose, children }: Props) {
  const { t } = useTranslation();
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const element = dialog.current as HTMLDialogElement;
    const opener = document.activeElement;
    element.showModal();
    return () => {
      element.close();
      if (opener instanceof HTMLElement) opener.focus({ preventScroll: true });
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      className={panelsClasses.panel}
      aria-labelledby={id}
      onClose={onClose}
      onKeyDown={(event) => event.stopPropagation()}
      // A click outside the sheet closes it.
      onClick={(event) => {
        if (event.target === dialog.current) onClose();
      }}
    >
      <div className={panelsClasses.panelBody}>
        <header className={panelsClasses.panelHead}>
          <h2 id={id}>{title}</h2>
          {line && <span className={classes.line}>{line}</span>}
          <HeadButton label={t("chat.actions.close")} onClick={onClose}>
            <IconX size={20} stroke={1.7} />
          </HeadButton>
        </header>
        {children}
      </div>
    </dialog>
  );
}

import { CloseButton, Drawer, Portal } from "@mantine/core";
import { type ReactNode, useEffect, useId, useRef } from "react";
import { useTranslation } from "react-i18next";
import { useFocusReturn } from "#web/core/dialog/useFocusReturn.ts";
import classes from "#web/core/layout/SidePanel.module.css";
import { useIsPhone } from "#web/core/display/useIsPhone.ts";

type Props = {
  title: string;
  line?: ReactNode;
  onClose: () => void;
  /** Buttons that stay at the bottom. */
  footer?: ReactNode;
  children: ReactNode;
};

/**
 * Details beside a list that stays usable: Escape closes the panel and returns the focus to what opened it. On a phone
 * it fills the screen. Mounted while it is open.
 */
export function SidePanel({ title, line, onClose, footer, children }: Props) {
  const { t } = useTranslation();
  const isPhone = useIsPhone();
  useFocusReturn(isPhone);
  if (!isPhone)
    return (
      <Beside title={title} line={line} onClose={onClose} footer={footer}>
        {children}
      </Beside>
    );
  return (
    <Drawer
      opened
      onClose={onClose}
      position="right"
      size="100%"
      padding={0}
      title={title}
      classNames={{ header: classes.phoneHead ?? "", body: classes.phoneBody ?? "" }}
      closeButtonProps={{ "aria-label": t("core.close") }}
    >
      <div className={classes.content}>
        {line && <p className={classes.line}>{line}</p>}
        {children}
      </div>
      {footer && <div className={classes.footer}>{footer}</div>}
    </Drawer>
  );
}

function Beside({ title, line, onClose, footer, children }: Props) {
  const { t } = useTranslation();
  const id = useId();
  const panel = useRef<HTMLElement>(null);
  useEffect(() => {
    const opener = document.activeElement;
    const element = panel.current;
    element?.focus({ preventScroll: true });
    return () => {
      // A dialog above the panel returns the focus by itself.
      const isInside = element?.contains(document.activeElement) || document.activeElement === document.body;
      if (isInside && opener instanceof HTMLElement) opener.focus({ preventScroll: true });
    };
  }, []);
  useEffect(() => {
    const closeOnEscape = (event: KeyboardEvent) => {
      const isInDialog =
        event.target instanceof Element && event.target.closest('[aria-modal="true"], [role="listbox"]');
      if (event.key === "Escape" && !event.defaultPrevented && !isInDialog) onClose();
    };
    addEventListener("keydown", closeOnEscape);
    return () => removeEventListener("keydown", closeOnEscape);
  }, [onClose]);
  return (
    <Portal>
      <section ref={panel} className={classes.panel} role="dialog" aria-labelledby={id} tabIndex={-1}>
        <header className={classes.head} role="presentation">
          <div className={classes.words}>
            <h2 id={id} className={classes.title}>
              {title}
            </h2>
            {line && <p className={classes.line}>{line}</p>}
          </div>
          <CloseButton aria-label={t("core.close")} onClick={onClose} />
        </header>
        <div className={classes.content}>{children}</div>
        {footer && <div className={classes.footer}>{footer}</div>}
      </section>
    </Portal>
  );
}

import { useEffect } from "react";

/**
 * Returns the focus to the opener when a dialog is closed or unmounted. Mantine does so only for dialogs that stay
 * mounted.
 */
export function useFocusReturn(opened: boolean) {
  useEffect(() => {
    if (!opened) return;
    const opener = document.activeElement;
    return () => {
      setTimeout(() => {
        const isLost = document.activeElement === null || document.activeElement === document.body;
        if (isLost && opener instanceof HTMLElement) opener.focus({ preventScroll: true });
      });
    };
  }, [opened]);
}

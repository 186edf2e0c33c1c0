/** How long a toast is shown, in ms. An error that must not be missed is also shown on the page. */
export const TOAST_MS = 5000;
/** Toasts at once; the oldest give way. */
export const MAX_TOASTS = 20;

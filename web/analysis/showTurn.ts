/** Scrolls to a message and gives it the focus. */
export const showTurn = (id: string) => {
  const element = document.querySelector<HTMLElement>(`#turn-${id}`);
  element?.scrollIntoView({ block: "center" });
  element?.focus({ preventScroll: true });
};

/** Whether this page is shown within a page of somebody else, which is possible for chatbots only. */
export const isEmbedded = () =>
  globalThis.location !== undefined &&
  location.pathname.startsWith("/chatbot/") &&
  new URLSearchParams(location.search).get("embed") === "1";

/** Whether this page is framed by another site, which only chatbots allow. */
export const isEmbedded = () =>
  globalThis.location !== undefined &&
  location.pathname.startsWith("/chatbot/") &&
  new URLSearchParams(location.search).get("embed") === "1";

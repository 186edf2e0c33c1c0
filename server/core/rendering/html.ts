/** Escapes the five special characters of HTML, for text and quoted attribute values. */
export const escapeHtml = (text: string) =>
  text.replace(
    /[&<>"']/g,
    (character) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" })[character] as string,
  );

/** A script element with JSON, in which no text can end the element. */
export const jsonElement = (id: string, json: string) =>
  `<script type="application/json" id="${id}">${json.replaceAll("<", "\\u003c")}</script>`;

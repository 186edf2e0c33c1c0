/** Attribute of the root element that says: the server drew this page, take it over instead of drawing it anew. */
export const DRAWN_ATTRIBUTE = "data-drawn";
/** Id of the script element (JSON) with the answers that a drawn page was made of. */
export const ANSWERS_ELEMENT = "answers";

/** Id of the script element (JSON) with the scripts that the page loads after its first paint, the application first. */
export const SCRIPTS_ELEMENT = "scripts";
/** Event of the window: the application has taken the drawn page over. */
export const HERE_EVENT = "lyceum-here";

/** One call of the API by the page that is being drawn: the path with its query; answers as `fetch` does. */
export type Wire = (path: string, init: RequestInit) => Promise<Response>;

export type Drawing = {
  /** Path and query of the page. */
  url: string;
  /** The facts about this academy (`shared/settings.ts`), and the ways of signing in besides the password. */
  academy: unknown;
  ways: string;
};
/** The content of the root element (HTML), the answers in it (JSON text, null when it needed none), and the source files of its chunks. */
export type Drawn = { html: string; answers: string | null; files: string[] };

/** Draws a public page for a guest; null for every other address, and where an answer failed. */
export type Draw = (drawing: Drawing) => Promise<Drawn | null>;
/** What the built part for the server exports: takes the way to the API, gives the function that draws. */
export type CreateDraw = (wire: Wire) => Draw;

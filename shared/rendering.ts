/** Attribute of the root element that says: the server drew this page, take it over instead of drawing it anew. */
export const RENDERED_ATTRIBUTE = "data-rendered";
/** Id of the script element (JSON) with the answers that a drawn page was made of. */
export const QUERY_DATA_ELEMENT = "query-data";

/** Id of the script element (JSON) with the scripts that the page loads after its first paint, the application first. */
export const SCRIPTS_ELEMENT = "scripts";
/** Event of the window: the application has taken the drawn page over. */
export const HYDRATED_EVENT = "lyceum-hydrated";

/** One call of the API by the page that is being drawn: the path with its query; answers as `fetch` does. */
export type ApiFetch = (path: string, init: RequestInit) => Promise<Response>;

export type RenderRequest = {
  /** Path and query of the page. */
  url: string;
  /** The facts about this academy (`shared/settings.ts`), and the ways of signing in besides the password. */
  academy: unknown;
  ways: string;
};
/** The content of the root element (HTML), the answers in it (JSON text, null when it needed none), and the source files of its chunks. */
export type RenderedPage = { html: string; answers: string | null; files: string[] };

/** Draws a public page for a guest; null for every other address, and where an answer failed. */
export type RenderPage = (drawing: RenderRequest) => Promise<RenderedPage | null>;
/** What the built part for the server exports: takes the way to the API, gives the function that draws. */
export type CreateRenderer = (wire: ApiFetch) => RenderPage;

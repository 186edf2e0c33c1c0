/** Attribute of the root element: the page was rendered on the server and is to be hydrated. */
export const RENDERED_ATTRIBUTE = "data-rendered";
/** Id of the script element (JSON) with the query data that the page was rendered from. */
export const QUERY_DATA_ELEMENT = "query-data";

/** Id of the script element (JSON) that lists the scripts to load after the first paint, the application first. */
export const SCRIPTS_ELEMENT = "scripts";
/** Attribute of the document element: the request had a session cookie, so `start.js` requests a token at once. */
export const SESSION_ATTRIBUTE = "data-session";
/** Window event: the application has hydrated the page. */
export const HYDRATED_EVENT = "lyceum-hydrated";

/** An API call of the page being rendered: path with query string; returns what `fetch` would. */
export type ApiFetch = (path: string, init: RequestInit) => Promise<Response>;

export type RenderRequest = {
  /** Path and query of the page. */
  url: string;
  /** Public settings of this academy (`shared/settings/settings.ts`), and the sign-in methods besides the password. */
  academy: unknown;
  signInMethods: string;
};
/** HTML of the root element, its query data as JSON text (null if it has none), and the source files of its chunks. */
export type RenderedPage = { html: string; queryData: string | null; files: string[] };

/** Renders a public page for a guest; null for every other URL, and if one of its queries failed. */
export type RenderPage = (request: RenderRequest) => Promise<RenderedPage | null>;
/**
 * Export of the server bundle: what a signed-in user gets at once. The layout without content, empty for pages without
 * the layout, and the source files of the chunks that the page will load.
 */
export type FrameOf = (request: Pick<RenderRequest, "url" | "academy">) => { html: string; files: string[] };
/** Export of the server bundle: takes the API transport, returns the render function. */
export type CreateRenderer = (apiFetch: ApiFetch) => RenderPage;
/** Export of the server bundle: true if the application has a page for this path and query. */
export type HasPage = (url: string) => boolean;

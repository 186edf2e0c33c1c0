const STARTS = ["png;base64,iVBORw0KGgo", "jpe?g;base64,/9j/", "gif;base64,R0lGOD", "webp;base64,UklGR"];
/**
 * Pictures that are embedded in a page. Raster types only, recognised by their first bytes: they contain no text and no
 * code.
 */
const DATA_IMAGE = new RegExp(`^data:image/(?:${STARTS.join("|")})[A-Za-z0-9+/]*={0,2}$`);
/** In characters of base64: 64 KB each, 1 MB in a recording. */
const MAX_IMAGE_CHARS = Math.ceil((64 * 1024 * 4) / 3) + 40;
const MAX_IMAGES_CHARS = Math.ceil((1024 * 1024 * 4) / 3);

export const isDataImage = (url: string) => url.length <= MAX_IMAGE_CHARS && DATA_IMAGE.test(url);
/** True for the URL of a picture that is not a file. */
export const isInlineImage = (url: string) => /^(?:data:image\/|blob:)/i.test(url);

/** Accepts pictures up to a limit. A repeated picture is not counted again. */
export function createImageBudget() {
  const acceptedUrls = new Set<string>();
  let chars = 0;
  return (url: string) => {
    if (!isDataImage(url)) return false;
    if (acceptedUrls.has(url)) return true;
    if (chars + url.length > MAX_IMAGES_CHARS) return false;
    chars += url.length;
    acceptedUrls.add(url);
    return true;
  };
}

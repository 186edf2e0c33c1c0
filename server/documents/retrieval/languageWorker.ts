import { eld } from "eld/small";

/** In a worker thread: the language of a text as ISO 639-1 code, empty if it is not recognised. */
export default (text: string): string => eld.detect(text).language;

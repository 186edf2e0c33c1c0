/** What a stand-in provider does with one request. Without fields: it answers `text` at once, with usage and an end. */
export type Script = {
  /** The pieces of the answer. */
  text?: Iterable<string>;
  /** Answers with everything it was told, as a model does that obeys every instruction to reveal it. */
  obeys?: boolean;
  /** What it repeats comes in pieces of this many characters. */
  pieceChars?: number;
  /**
   * The answer if a schema is asked for; by default one that fits the test of connectors. A function gets everything it
   * was told.
   */
  structured?: string | ((told: string) => string);
  /** The input of a tool that nobody offered; Anthropic only. */
  toolInput?: string;
  /** Embeddings have this many numbers. */
  size?: number;
  /** The reply to a call for embeddings of texts, as JSON. */
  embeddings?: (texts: string[]) => string;
  /** Milliseconds before the first piece, and between pieces. */
  firstDelay?: number;
  delay?: number;
  /** Fails with this status and a text that repeats the key. */
  status?: number;
  /** The body and headers of a refusal with `status`; by default a text that repeats the key. */
  refusal?: string;
  refusalHeaders?: Record<string, string>;
  /** The tokens that it reports, instead of 40 and 10. */
  usage?: { input: number; output: number };
  /** Answers 200 with a page or with JSON in place of a stream. */
  instead?: "html" | "json";
  /** Never answers. */
  hangs?: boolean;
  /** Breaks the connection after this many pieces. */
  cutAfter?: number;
  /** Says after this many pieces that it has failed. */
  failsAfter?: number;
  /** Sends this many bytes at a time, through characters and lines. */
  splitBytes?: number;
  /** Ends lines with CRLF. */
  crlf?: boolean;
  /** Sends something that is not JSON after the first piece. */
  malformed?: boolean;
  noUsage?: boolean;
  noFinish?: boolean;
  finish?: "stop" | "length" | "refused";
  /** What a recording is written down as; by default "Hello from the recording". */
  heard?: string;
  /** Seconds of a recording, if they are reported. */
  seconds?: number;
  /** What is spoken, in pieces that come `delay` apart; by default a second of silence. */
  audio?: Iterable<Uint8Array> | AsyncIterable<Uint8Array>;
  /** Does not call tools. */
  noTools?: boolean;
};

/** What a protocol is asked for, in the same words for all of them. */
export type Asked = { text: string; hasSchema: boolean; tool: string | null; isStream: boolean };

/** One protocol of the stand-in: what is asked, and the messages of its stream. */
export type StandIn = {
  keyOf(headers: Record<string, string | string[] | undefined>): string;
  /** Null for a path that is not chat. */
  readChat(path: string, body: unknown): Asked | null;
  first(hasUsage: boolean): string[];
  piece(text: string, isSchema: boolean): string;
  tool(name: string): string[];
  toolInput?(input: string): string[];
  failure(): string;
  last(
    finish: "stop" | "length" | "refused",
    usage: { input: number; output: number } | null,
    hasFinish: boolean,
  ): string[];
  models: { path: string; reply: unknown };
  /** Where recordings are written down and texts are spoken. */
  voice: { transcription: string; speech: string } | null;
  embeddings: { path: RegExp; reply(body: unknown, size: number): unknown } | null;
};

export const HEARD = "Hello from the recording";
export const DEFAULT_TEXT = ["One, ", "two, ", "three, ", "four, ", "five."];
export const TOKENS = { input: 40, output: 10 };
/** Vectors that depend on the text, so that orders can be checked. */
export const vectorOf = (text: string, size: number) =>
  Array.from({ length: size }, (_, at) => ((text.codePointAt(at % text.length) ?? 0) % 97) / 97);

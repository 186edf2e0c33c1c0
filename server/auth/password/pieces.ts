/** Why a part of a password is likely. `other`: characters without a pattern. */
export type PieceKind = "common" | "phrase" | "own" | "place" | "keyboard" | "sequence" | "repeat" | "date" | "other";
/** The characters `from` up to `to`, and how many guesses find them. */
export type Piece = { kind: PieceKind; from: number; to: number; guesses: number };

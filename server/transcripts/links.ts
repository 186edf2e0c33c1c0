import type { Config } from "#server/core/config.ts";
import { isSame, sign } from "#server/core/secrets.ts";

// The link of a transcript: its id and a signature, so that no secret is stored

const tokenOf = ({ secret }: Pick<Config, "secret">, id: string, linkNo: number) =>
  `${id}.${sign(secret, `transcript ${id} ${linkNo}`)}`;

/** The page that shows a transcript to everyone who has its link. */
export const linkOf = (config: Pick<Config, "secret" | "publicUrl">, id: string, linkNo: number) =>
  `${config.publicUrl}/transcripts/${tokenOf(config, id, linkNo)}`;

/** The id that a token names, right or forged; null for anything else. */
export const idIn = (token: string) =>
  /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.[\w-]{22}$/.exec(token)?.[1] ?? null;

export const isTokenOf = (config: Pick<Config, "secret">, token: string, id: string, linkNo: number) =>
  isSame(token, tokenOf(config, id, linkNo));

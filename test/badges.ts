import { expect } from "vitest";
import { badges } from "#shared/badges/badges.ts";
import type { Person, start } from "#test/start.ts";

export type Subject = {
  identifier: { identityType: string; hashed: boolean; identityHash: string; salt?: string }[];
  achievement: object;
};

/** Downloads badges, and what others need to check them. */
export function createBadger({ app, services }: Awaited<ReturnType<typeof start>>) {
  /** What a stranger gets at an address that the badge or its issuer names. */
  async function fetchPublic(url: string) {
    const { pathname, origin } = new URL(url);
    expect(origin).toBe(services.config.publicUrl);
    const { statusCode, body, headers } = await app.inject({ url: pathname });
    expect([url, statusCode, headers["access-control-allow-origin"]]).toEqual([url, 200, "*"]);
    return body;
  }
  const download = (person: Person, id: string, format: "png" | "jwt" = "png") =>
    app.inject({
      url: `${badges.get.path.replace(":id", id)}?format=${format}`,
      headers: { authorization: `Bearer ${person.token}` },
    });
  const tokenOf = async (person: Person, id: string) => {
    const { statusCode, body } = await download(person, id, "jwt");
    expect(statusCode).toBe(200);
    return body;
  };
  return { fetchPublic, download, tokenOf };
}

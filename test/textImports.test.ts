import { expect, test } from "vitest";
import { textImports } from "../scripts/_textImports.ts";

const { handler } = textImports.transform as unknown as {
  handler: (code: string, id: string) => { code: string } | undefined;
};
const importsOf = (code: string) =>
  [...(handler(code, "/web/Page.tsx")?.code ?? "").matchAll(/import "texts:(.*)"/g)].map(([, part]) => part);

test("a module loads the texts that it names, and errors of texts that every page has", () => {
  expect(importsOf('t("courses.title")')).toEqual(["courses/"]);
  expect(importsOf('t("core.cancel")')).toEqual([]);
  expect(importsOf('t("core.errors.missing"), t("auth.errors.pinWeak")')).toEqual(["core/errors", "auth/errors"]);
});

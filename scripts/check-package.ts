import { resolve } from "node:path";
import { checkPackage } from "#server/packages/unpack.ts";

// `npm run check-package -- FILE.zip`: prints the importer's report as one line of JSON; exit code 0 if it can be imported

type Answer = {
  ok: boolean;
  kind: string | null;
  title: string | null;
  launch: string[];
  warnings: string[];
  error: string | null;
};

const refused = (error: string): Answer => ({ ok: false, kind: null, title: null, launch: [], warnings: [], error });

async function check(path: string | undefined): Promise<Answer> {
  if (path === undefined) return refused("Name the file to check: npm run check-package -- FILE.zip");
  const { ok, kind, title, launch, warnings, error } = await checkPackage(resolve(path));
  const sentences = warnings.map((warning) => warning.sentence);
  return { ok, kind, title, launch, warnings: sentences, error: error?.sentence ?? null };
}

let isAnswered = false;
function answer(result: Answer) {
  if (isAnswered) return;
  isAnswered = true;
  process.stdout.write(`${JSON.stringify(result)}\n`, () => process.exit(result.ok ? 0 : 1));
}

const give = (error: unknown) => answer(refused(`The package cannot be checked: ${(error as Error).message}`));
process.on("uncaughtException", give);
check(process.argv[2]).then(answer, give);

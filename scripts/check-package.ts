import { resolve } from "node:path";
import { checkPackage } from "#server/packages/unpack.ts";

// `npm run check-package -- FILE.zip` prints the importer's report as one line of JSON and exits with 0 if the package can be imported

type Verdict = {
  ok: boolean;
  kind: string | null;
  title: string | null;
  launch: string[];
  warnings: string[];
  error: string | null;
};

const refuse = (error: string): Verdict => ({ ok: false, kind: null, title: null, launch: [], warnings: [], error });

async function check(path: string | undefined): Promise<Verdict> {
  if (path === undefined) return refuse("Name the file to check: npm run check-package -- FILE.zip");
  const { ok, kind, title, launch, warnings, error } = await checkPackage(resolve(path));
  const sentences = warnings.map((warning) => warning.sentence);
  return { ok, kind, title, launch, warnings: sentences, error: error?.sentence ?? null };
}

let isPrinted = false;
function print(verdict: Verdict) {
  if (isPrinted) return;
  isPrinted = true;
  process.stdout.write(`${JSON.stringify(verdict)}\n`, () => process.exit(verdict.ok ? 0 : 1));
}

const printFailure = (error: unknown) => print(refuse(`The package cannot be checked: ${(error as Error).message}`));
process.on("uncaughtException", printFailure);
check(process.argv[2]).then(print, printFailure);

import { resolve } from "node:path";
import { checkPackage } from "#server/packages/unpacking.ts";

// `npm run check-package -- FILE.zip` prints the importer's report as one line of JSON and exits with 0 if the package
// can be imported

type Report = {
  ok: boolean;
  kind: string | null;
  title: string | null;
  launch: string[];
  warnings: string[];
  error: string | null;
};

const failure = (error: string): Report => ({ ok: false, kind: null, title: null, launch: [], warnings: [], error });

async function check(path: string | undefined): Promise<Report> {
  if (path === undefined) return failure("Name the file to check: npm run check-package -- FILE.zip");
  const { ok, kind, title, launch, warnings, error } = await checkPackage(resolve(path));
  const sentences = warnings.map((warning) => warning.sentence);
  return { ok, kind, title, launch, warnings: sentences, error: error?.sentence ?? null };
}

let isPrinted = false;
function print(report: Report) {
  if (isPrinted) return;
  isPrinted = true;
  process.stdout.write(`${JSON.stringify(report)}\n`, () => process.exit(report.ok ? 0 : 1));
}

const printFailure = (error: unknown) => print(failure(`The package cannot be checked: ${(error as Error).message}`));
process.on("uncaughtException", printFailure);
check(process.argv[2]).then(print, printFailure);

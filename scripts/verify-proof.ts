import { readFileSync } from "node:fs";
import { checkProof, checkTimestamp } from "#server/certificates/proofs/checkProof.ts";
import type { ProofFile } from "#shared/certificates/proof.ts";

/**
 * `npm run verify-proof -- FILE [--key PUBLIC_KEY]`: checks a proof file without network and without a database. With
 * the published key of the academy it also checks who has signed. Without FILE it checks the trees of all issuers in
 * the database, and names every certificate that was changed, removed or added. The exit code is 1 if something does
 * not fit. docs/decisions/0055-certificates.md describes the format.
 */
const [file, option, key] = process.argv.slice(2).filter((argument) => argument !== "--");
const print = (line: string) => process.stdout.write(`${line}\n`);
if (file) {
  const proof = JSON.parse(readFileSync(file, "utf8")) as ProofFile;
  const checked = [checkProof(proof, option === "--key" ? key : undefined)];
  if (checked[0]?.lines.length) checked.push(await checkTimestamp(proof));
  const lines = checked.flatMap((one) => one.lines);
  const problems = checked.flatMap((one) => one.problems);
  for (const line of lines) print(line);
  for (const problem of problems) print(`DOES NOT FIT: ${problem}`);
  print(problems.length === 0 ? "Unchanged since issue." : "This file does not prove what it says.");
  print(
    "A proof does not say whether the certificate was revoked later: look its number up on the page of the issuer.",
  );
  process.exit(problems.length === 0 ? 0 : 1);
}
const { checkDatabase } = await import("./_checkTrees.ts");
process.exit(await checkDatabase(print));

// Checks an audit pack of Lyceum with Node.js 20 or later, without a network and without any other package.
//
//   node verify.mjs                            compares every file with the manifest, and checks the proofs
//   node verify.mjs --key KEY                  also checks that this key has signed the proofs
//   node verify.mjs sample SEED NUMBER SIZE    draws a sample again: seed and number stand on the auditor's page;
//     [--course COURSE_ID] [--state STATUS]    the choice as it was there
//
// The exit code is 1 if there is a mismatch.

import { createHash, createPublicKey, verify } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const folder = dirname(fileURLToPath(import.meta.url));
const read = (path) => readFileSync(join(folder, path));
const sha256 = (...parts) => {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return hash.digest();
};
const hex = (bytes) => bytes.toString("hex");
const args = process.argv.slice(2);
const optionOf = (name) => (args.includes(name) ? args[args.indexOf(name) + 1] : undefined);

// Proofs: https://datatracker.ietf.org/doc/html/rfc6962 with sorted children

const LEAF = Buffer.of(0);
const NODE = Buffer.of(1);
const canonical = (value) =>
  JSON.stringify(Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))));

function problemsOf({ facts, path, head, publicKey }) {
  const problems = [];
  const root = path.reduce(
    (hash, sibling) => sha256(NODE, ...[hash, Buffer.from(sibling, "hex")].toSorted(Buffer.compare)),
    sha256(LEAF, canonical(facts)),
  );
  if (hex(root) !== head.root) problems.push("the facts are not those in the signed tree");
  if (head.issuer !== facts.issuer) problems.push("the signed tree belongs to another issuer");
  const { signature, ...signed } = head;
  const key = createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x: publicKey }, format: "jwk" });
  const keyId = hex(sha256(Buffer.from(publicKey, "base64url"))).slice(0, 16);
  if (keyId !== head.key || !verify(null, Buffer.from(canonical(signed)), key, Buffer.from(signature, "base64url")))
    problems.push("the signature is not valid");
  const expected = optionOf("--key");
  if (expected !== undefined && expected !== publicKey) problems.push("another key has signed it");
  return problems;
}

function check() {
  const manifest = JSON.parse(read("manifest.json"));
  let bad = 0;
  const report = (path, problem) => {
    bad++;
    console.log(`MISMATCH: ${path}: ${problem}`);
  };
  const problemOf = ({ path, sha256: sum }) => {
    try {
      return hex(sha256(read(path))) === sum ? null : "changed";
    } catch {
      return "missing";
    }
  };
  for (const file of manifest.files) {
    const problem = problemOf(file);
    if (problem) report(file.path, problem);
  }
  const known = new Set(["manifest.json", ...manifest.files.map(({ path }) => path)]);
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = relative(folder, join(entry.parentPath ?? entry.path, entry.name)).replaceAll("\\", "/");
    if (entry.isFile() && !entry.name.startsWith(".") && !known.has(path)) report(path, "not in the manifest");
  }
  const proofs = manifest.files.filter(({ path }) => path.startsWith("proofs/"));
  for (const { path } of proofs) {
    try {
      for (const problem of problemsOf(JSON.parse(read(path)))) report(path, problem);
    } catch {
      report(path, "cannot be read");
    }
  }
  console.log(`${manifest.files.length} files and ${proofs.length} proofs checked, ${bad} mismatches.`);
  console.log(`SHA-256 of manifest.json: ${hex(sha256(read("manifest.json")))}`);
  return bad;
}

// Samples

/** The rows of a CSV file by their heads. */
function readCsv(path) {
  const rows = [[""]];
  let quoted = false;
  for (const character of read(path)
    .toString("utf8")
    .replace(/^\ufeff/, "")) {
    const row = rows.at(-1);
    if (character === '"') {
      if (!quoted && row.lastWasQuoted) row[row.length - 1] += '"';
      quoted = !quoted;
      row.lastWasQuoted = !quoted;
    } else if (!quoted && character === ",") row.push("");
    else if (!quoted && character === "\n") rows.push([""]);
    else if (quoted || character !== "\r") row[row.length - 1] += character;
    if (character !== '"') row.lastWasQuoted = false;
  }
  const [heads, ...lines] = rows.filter((row) => row.length > 1);
  return lines.map((line) => Object.fromEntries(heads.map((head, at) => [head, line[at]])));
}

function sample(seed, number, size) {
  if (!seed || !(Number(number) >= 1) || !(size >= 1)) {
    console.log("Seed, number and size are needed: node verify.mjs sample SEED NUMBER SIZE");
    return 1;
  }
  const course = optionOf("--course");
  const state = optionOf("--state")?.toLowerCase();
  const people = new Map();
  for (const row of readCsv("requirements-by-person.csv")) {
    const person = people.get(row["Person ID"]) ?? { name: row.Person, records: [], matches: false };
    person.records.push(row.Record);
    person.matches ||= (!course || row["Course ID"] === course) && (!state || row.Status.toLowerCase() === state);
    people.set(row["Person ID"], person);
  }
  const drawn = [...people.values()]
    .filter(({ matches }) => matches)
    .map(({ name, records }) => ({ name, key: records.toSorted()[0] }))
    .map((person) => ({ ...person, rank: hex(sha256(`${seed}:${number}:${person.key}`)) }))
    .toSorted((a, b) => (a.rank < b.rank ? -1 : 1));
  console.log(`${Math.min(size, drawn.length)} of ${drawn.length} people:`);
  for (const { name, key } of drawn.slice(0, size)) console.log(`${key} ${JSON.stringify(name)}`);
  return 0;
}

const [command, seed, number, size] = args;
process.exit(command === "sample" ? sample(seed, number, Number(size)) : Math.min(check(), 1));

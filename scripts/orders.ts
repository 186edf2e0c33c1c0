import { readFileSync } from "node:fs";
import { givesOrders } from "#server/connectors/injection/modelOrders.ts";

// How many texts that give orders to a language model are found, and how many others are taken for one:
// npm run orders -- FILE.jsonl [--list]
// A line is {"text", "label": 1 for an order, else 0}.

const file = process.argv[2];
if (!file) throw new Error("Name a file: npm run orders -- FILE.jsonl");
const isListing = process.argv.includes("--list");
const counts = { orders: { found: 0, total: 0 }, others: { found: 0, total: 0 } };
for (const line of readFileSync(file, "utf8").trim().split("\n")) {
  const { text, label } = JSON.parse(line) as { text: string; label: number };
  const isOrder = label === 1;
  const isFound = givesOrders(text);
  const count = counts[isOrder ? "orders" : "others"];
  count.total++;
  if (isFound) count.found++;
  if (isListing && isFound !== isOrder) console.log(`${isFound ? "taken for an order" : "missed"}: ${text}`);
}
for (const [name, { found, total }] of Object.entries(counts))
  if (total > 0) console.log(`${name.padEnd(8)} ${found} of ${total} (${(found / total).toFixed(3)})`);

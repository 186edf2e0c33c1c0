import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import type { Page } from "@playwright/test";
import type { BrowserState } from "#test/browserState.ts";
import type { DataSnapshot } from "#test/dataSnapshot.ts";

/** Data of one version of Lyceum: on its server, and in the browsers of three people with unfinished work. */
export type Leftovers = {
  /** URL of that server; stored browser data contains it. */
  url: string;
  data: DataSnapshot;
  learner: { email: string; launch: string; app: BrowserState };
  admin: { app: BrowserState; checkIn: string };
  guest: { register: string; app: BrowserState };
};

const DAY_MS = 86_400_000;
const path = join(import.meta.dirname, "../test/upgrade/previous.json.gz");

/** Reads the data with all its times moved by whole days, as if it had been captured within the last 24 hours. */
export function readLeftovers() {
  const text = gunzipSync(readFileSync(path)).toString("utf8");
  const { admin } = JSON.parse(text) as Leftovers;
  const { lastLoginAt } = JSON.parse(admin.app.local["user"] ?? "") as { lastLoginAt: string };
  const shift = Math.floor((Date.now() - Date.parse(lastLoginAt)) / DAY_MS) * DAY_MS;
  const moved = text
    .replace(/\b20\d\d-\d\d-\d\dT[\d:.]+(?:Z|\+00:00)/g, (time) => new Date(Date.parse(time) + shift).toISOString())
    .replace(/(?<="(?:at|lastModified)":)\d{13}\b/g, (time) => String(Number(time) + shift));
  return JSON.parse(moved) as Leftovers;
}

export const writeLeftovers = (leftovers: Leftovers) =>
  writeFileSync(path, gzipSync(JSON.stringify(leftovers), { level: 9 }));

/** The password of its admin and its learner. */
export const PREVIOUS_PASSWORD = "correct horse battery";
/** The learner's location on the server and in the journal; contents of the upload and the draft. */
export const STORED_LOCATION = "page-3";
export const JOURNALED_LOCATION = "page-5";
export const UPLOAD_TITLE = "Half way up";
export const DRAFT_NAME = "Grete Gast";
export const CHECKED_IN = "Liv Aune";

/** Opens an empty page on the application's origin without contacting the server. */
export async function openBlank(page: Page, url: string) {
  await page.route(`${url}/blank-page`, (route) => route.fulfill({ contentType: "text/html", body: "Blank" }));
  await page.goto(`${url}/blank-page`);
}

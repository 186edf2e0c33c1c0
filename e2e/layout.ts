import { expect, type Page, type Request } from "@playwright/test";
import { isLong, sampled } from "#test/long.ts";

// Sizes and colour schemes of a page, and when it is ready to be looked at

export const viewports = { desktop: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } };
const colorSchemes = ["light", "dark"] as const;

export async function setColorScheme(page: Page, colorScheme: (typeof colorSchemes)[number]) {
  await page.emulateMedia({ colorScheme });
  await expect(page.locator("html")).toHaveAttribute("data-mantine-color-scheme", colorScheme);
}

/** The sizes in which a journey is repeated, by name; in `npm test` only one of them, drawn by its name. */
export const sizesFor = (journey: string) => sampled(journey, Object.entries(viewports), 1);

/** Both sizes in both colour schemes; only two of the four in `npm test`, unless pictures of them are taken. */
const looks = Object.keys(viewports)
  .flatMap((size) => colorSchemes.map((colorScheme) => ({ size: size as keyof typeof viewports, colorScheme })))
  .filter((look) => isLong || process.env.SHOTS || (look.size === "desktop") === (look.colorScheme === "light"))
  .toReversed();

/** Runs `check` on the current page in all looks; ends on the desktop in light colours. */
export async function inEveryLook(page: Page, check: (look: string) => Promise<void>) {
  await page.emulateMedia({ reducedMotion: "reduce" });
  for (const { size, colorScheme } of looks) {
    await page.setViewportSize(viewports[size]);
    await setColorScheme(page, colorScheme);
    await check(`${size}-${colorScheme}`);
  }
}

/** Charts take a moment to follow the width of the window; after that nothing may scroll sideways. */
export async function expectNoHorizontalScroll(page: Page, name: string) {
  const overflow = () =>
    page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  await expect.poll(overflow, { message: `${name} does not scroll sideways`, timeout: 5000 }).toBe(0);
}

/** Waits until all transitions and animations that end by themselves have ended. */
export const waitForAnimations = (page: Page) =>
  page.evaluate(async () => {
    const ending = document
      .getAnimations()
      .filter(({ effect }) => Number.isFinite(effect?.getComputedTiming().endTime));
    await Promise.allSettled(ending.map(({ finished }) => finished));
  });

const pendingRequests = new WeakMap<Page, Set<Request>>();
/** Counts the requests of a page from now on, for `waitUntilLoaded`. */
export function trackRequests(page: Page) {
  const pending = new Set<Request>();
  pendingRequests.set(page, pending);
  page.on("request", (request) => {
    // The live channel stays open as long as the page.
    if (!new URL(request.url()).pathname.startsWith("/api/live")) pending.add(request);
  });
  page.on("requestfinished", (request) => pending.delete(request));
  page.on("requestfailed", (request) => pending.delete(request));
}

/**
 * Waits until nothing is loading: no skeleton, no busy region, no font, and no request of a page in `trackRequests`.
 */
export async function waitUntilLoaded(page: Page) {
  const isLoaded = async () =>
    !pendingRequests.get(page)?.size &&
    (await page.evaluate(
      () =>
        new Promise<boolean>((resolve) => {
          const busy = () => document.querySelector('[aria-busy="true"], .mantine-Skeleton-root') !== null;
          // What has arrived is rendered within two frames; it may load more.
          const afterTwoFrames = () => requestAnimationFrame(() => requestAnimationFrame(() => resolve(!busy())));
          void document.fonts.ready.then(afterTwoFrames);
        }),
    )) &&
    !pendingRequests.get(page)?.size;
  await expect.poll(isLoaded, { message: `${page.url()} is loaded`, intervals: [20, 50, 100] }).toBe(true);
}

/** Moves a loaded application to a path, and waits until the page of before is gone. */
export async function navigateTo(page: Page, path: string) {
  await page.evaluate((to) => {
    document.querySelector("h1")?.setAttribute("data-previous", "");
    history.pushState(null, "", to);
    dispatchEvent(new PopStateEvent("popstate"));
  }, path);
  await expect(page.locator("h1[data-previous]")).toHaveCount(0);
}

/** Holds back the application of the pages that are opened from now on; the function that this returns lets it load. */
export async function holdApplication(page: Page) {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(/\/assets\/main-.*\.js$/, async (route) => {
    await released;
    await route.continue();
  });
  return () => release();
}

/**
 * Tracks how far the pages that are loaded from now on move by themselves. The function that this returns gives the
 * cumulative layout shift of the current page: 0 if nothing moved, above 0.1 if people notice it.
 */
export async function trackLayoutShift(page: Page) {
  await page.addInitScript(() => {
    const shifts: number[] = ((globalThis as unknown as { shifts: number[] }).shifts = []);
    new PerformanceObserver((list) =>
      shifts.push(...list.getEntries().map((entry) => (entry as unknown as { value: number }).value)),
    ).observe({ type: "layout-shift", buffered: true });
  });
  return () =>
    page.evaluate(() => (globalThis as unknown as { shifts: number[] }).shifts.reduce((sum, value) => sum + value, 0));
}

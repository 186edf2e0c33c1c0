import { createStore } from "#web/core/store.ts";
import { exchange } from "#web/core/api/http.ts";
import { academies, type Academy, ACADEMY_ELEMENT } from "#shared/settings.ts";

/** Name, look and texts of this academy; comes inside the page. Null only where the page was not made by our server, until it is asked for. */
export const academy = createStore<Academy | null>(read());

function read(): Academy | null {
  try {
    return JSON.parse(document.getElementById(ACADEMY_ELEMENT)?.textContent ?? "null") as Academy | null;
  } catch {
    return null;
  }
}

/** Asks again: after the settings were changed, and once where the page came without. */
export const loadAcademy = () => exchange(academies.read, {}).then(academy.set, () => {});
if (typeof document !== "undefined" && !academy.get()) void loadAcademy();

export const useAcademyName = () => academy.use()?.name ?? "Lyceum";

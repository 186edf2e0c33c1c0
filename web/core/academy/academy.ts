import { createStore } from "#web/core/store.ts";
import { sendRequest } from "#web/core/http/http.ts";
import { academies, type Academy, ACADEMY_ELEMENT } from "#shared/settings/settings.ts";

/**
 * Name, branding and texts of this academy, embedded in the page. Null until loaded if the page came without them
 * (development).
 */
export const academy = createStore<Academy | null>(readEmbeddedAcademy());

function readEmbeddedAcademy(): Academy | null {
  try {
    return JSON.parse(document.getElementById(ACADEMY_ELEMENT)?.textContent ?? "null") as Academy | null;
  } catch {
    return null;
  }
}

/** Reloads the settings of the academy, after a change or if the page came without them. */
export const loadAcademy = () => sendRequest(academies.read, {}).then(academy.set, () => {});
if (typeof document !== "undefined" && !academy.get()) void loadAcademy();

export const useAcademyName = () => academy.use()?.name ?? "Lyceum";

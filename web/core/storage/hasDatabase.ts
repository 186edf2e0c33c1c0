/**
 * Whether this browser has an IndexedDB database of this name. True if the browser does not say. Opening it instead
 * would create it.
 */
export async function hasDatabase(name: string) {
  try {
    const databases = await indexedDB.databases();
    return databases.some((database) => database.name === name);
  } catch {
    return true;
  }
}

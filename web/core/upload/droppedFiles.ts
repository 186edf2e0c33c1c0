/**
 * The files of a drop, also those in folders that were dropped. Hidden files, whose names start with a dot, are
 * skipped.
 */
export async function droppedFiles(transfer: DataTransfer): Promise<File[]> {
  // Entries are only available during the event.
  const entries = [...transfer.items].flatMap((item) => (item.kind === "file" ? (item.webkitGetAsEntry() ?? []) : []));
  const plain = [...transfer.files];
  if (!entries.some((entry) => entry.isDirectory)) return plain;
  return (await Promise.all(entries.map(filesIn))).flat();
}

async function filesIn(entry: FileSystemEntry): Promise<File[]> {
  if (entry.name.startsWith(".")) return [];
  if (entry.isFile)
    return [await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject))];
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  const files: File[] = [];
  // A reader returns its entries in portions, and none at the end.
  for (;;) {
    const entries = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (entries.length === 0) return files;
    for (const one of entries) files.push(...(await filesIn(one)));
  }
}

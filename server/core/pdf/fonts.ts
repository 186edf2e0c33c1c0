import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

// Fonts for names in the scripts of the world, all under the SIL Open Font License. A file is opened only if a text
// needs it.

export type Weight = "regular" | "bold";
type Script = { name: string; matches: RegExp; files: Record<Weight, (letter: string) => string | null> };

const require = createRequire(import.meta.url);
const resolved = new Map<string, string>();
/** The path of a file in a package; finding it takes longer than drawing a letter. */
function inPackage(path: string) {
  const found = resolved.get(path) ?? require.resolve(path);
  resolved.set(path, found);
  return found;
}
const always = (regular: string, bold: string): Script["files"] => ({
  regular: () => inPackage(regular),
  bold: () => inPackage(bold),
});

type Range = { from: number; to: number; file: string };
let chinese: Range[] | undefined;

/** Noto Sans SC comes in about a hundred files with some hundred letters each: which letters are in which. */
function readChinese(folder: string): Range[] {
  const subsets = JSON.parse(readFileSync(join(folder, "unicode.json"), "utf8")) as Record<string, string>;
  return Object.entries(subsets).flatMap(([subset, list]) =>
    list.split(",").map((range) => {
      const [from = "", to = from] = range.trim().slice(2).split("-");
      return { from: Number.parseInt(from, 16), to: Number.parseInt(to, 16), file: subset.replace(/[[\]]/g, "") };
    }),
  );
}

function chineseFile(letter: string, weight: "400" | "700") {
  const code = letter.codePointAt(0) as number;
  const folder = dirname(inPackage("@fontsource/noto-sans-sc/package.json"));
  chinese ??= readChinese(folder).filter(({ file }) => /^\d+$/.test(file));
  const found = chinese.find(({ from, to }) => code >= from && code <= to);
  return found ? join(folder, "files", `noto-sans-sc-${found.file}-${weight}-normal.woff`) : null;
}

const hanken = "@expo-google-fonts/hanken-grotesk";
const plex = "@expo-google-fonts/ibm-plex-sans-arabic";
const thai = "@expo-google-fonts/noto-sans-thai";

const SCRIPTS: Script[] = [
  {
    name: "arabic",
    matches: /\p{Script_Extensions=Arabic}/u,
    files: always(
      `${plex}/400Regular/IBMPlexSansArabic_400Regular.ttf`,
      `${plex}/600SemiBold/IBMPlexSansArabic_600SemiBold.ttf`,
    ),
  },
  {
    name: "thai",
    matches: /\p{Script=Thai}/u,
    files: always(`${thai}/400Regular/NotoSansThai_400Regular.ttf`, `${thai}/600SemiBold/NotoSansThai_600SemiBold.ttf`),
  },
  {
    name: "chinese",
    matches: /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Bopomofo}\u3000-\u303f\uff00-\uffef]/u,
    files: { regular: (letter) => chineseFile(letter, "400"), bold: (letter) => chineseFile(letter, "700") },
  },
];

export const LATIN: Record<Weight, string> = {
  regular: inPackage(`${hanken}/400Regular/HankenGrotesk_400Regular.ttf`),
  bold: inPackage(`${hanken}/600SemiBold/HankenGrotesk_600SemiBold.ttf`),
};
/** Greek, Cyrillic, Hebrew, Georgian and others. */
export const OTHER: Record<Weight, string> = {
  regular: inPackage("dejavu-fonts-ttf/ttf/DejaVuSans.ttf"),
  bold: inPackage("dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf"),
};

/** The font file of a script that needs one of its own; null for letters that another font may have. */
export function scriptFont(letter: string, weight: Weight): string | null {
  const script = SCRIPTS.find(({ matches }) => matches.test(letter));
  return script?.files[weight](letter) ?? null;
}

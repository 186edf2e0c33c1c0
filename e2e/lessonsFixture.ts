import { randomUUID } from "node:crypto";
import { deflateSync } from "node:zlib";
import { type CompletionRule, defaultCompletionRule } from "#shared/courses/completionRules.ts";
import { courses } from "#shared/courses/courses.ts";
import { OBJECTS_PATH } from "#shared/files/files.ts";
import type { LessonBlock } from "#shared/lessons/blocks.ts";
import type { LessonCourse } from "#shared/lessons/lessonDocument.ts";
import { auth } from "#shared/auth/auth.ts";
import type { User } from "#shared/core/users.ts";
import { multipart } from "#test/client.ts";
import { everyBlock } from "#test/everyBlock.ts";
import { choiceQuestion, insertCourseInto, newId, paragraph, words } from "#test/lessons.ts";
import { ADMIN } from "#test/process.ts";
import type { ServerFixture } from "./server.ts";

/** Publishes lessons as a course of the app's company. Returns the address that launches it. */
export async function addLessons(
  app: ServerFixture,
  course: LessonCourse,
  {
    title = "Working at height",
    rule = defaultCompletionRule("lessons"),
  }: { title?: string; rule?: CompletionRule } = {},
) {
  const { user, token } = await app.admin.call(auth.signIn, { body: ADMIN });
  app.admin.useToken(token);
  const id = await insertCourseInto(app.connection(), user as User, course, { title, rule });
  const { version } = await app.admin.call(courses.get, { params: { id } });
  await app.admin.call(courses.setStatus, { params: { id }, body: { status: "published", version } });
  await app.admin.call(courses.assign, { params: { id }, body: { companyIds: [app.company.id] } });
  return { id, title, launch: `${app.url}/launch/${app.company.id}/${id}` };
}

/** Stores a file of a lesson and returns what a block says of it. */
export async function addMedia(app: ServerFixture, name: string, type: string, bytes: Uint8Array) {
  const { token } = await app.admin.call(auth.signIn, { body: ADMIN });
  const path = `lessons/${randomUUID()}/${name}`;
  const sent = multipart({ contentType: type, metadata: { purpose: "lesson" } }, bytes);
  const reply = await fetch(`${app.url}${OBJECTS_PATH}?name=${encodeURIComponent(path)}`, {
    method: "POST",
    headers: { ...(sent.headers as Record<string, string>), authorization: `Bearer ${token}` },
    body: new Uint8Array(sent.body),
  });
  if (!reply.ok) throw new Error(`${name}: ${await reply.text()}`);
  const [row] = await app.query<{ id: string }>("select id from files where full_path = $1", [path]);
  return { fileId: row?.id ?? "", name, type, bytes: bytes.length };
}

/** A PNG of arches on a floor, in the colours of the product. */
export function arches(width = 1280, height = 720) {
  const pixels = Buffer.alloc((width * 3 + 1) * height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const column = (x % 256) - 128;
      const isArch = Math.abs(column) < 84 && (y > 330 || column ** 2 + (y - 330) ** 2 < 84 ** 2) && y < 620;
      const behind = isArch ? [47, 127, 138] : [176, 211, 214];
      const color = y >= 620 ? [15, 87, 99] : behind;
      pixels.set(color, y * (width * 3 + 1) + 1 + x * 3);
    }
  }
  const crcTable = Array.from({ length: 256 }, (_, n) => {
    let c = n;
    for (let k = 0; k < 8; k++) c = c & 1 ? 0xed_b8_83_20 ^ (c >>> 1) : c >>> 1;
    return c >>> 0;
  });
  const crc = (bytes: Buffer) => {
    let c = 0xff_ff_ff_ff;
    for (const byte of bytes) c = (crcTable[(c ^ byte) & 255] as number) ^ (c >>> 8);
    return (c ^ 0xff_ff_ff_ff) >>> 0;
  };
  const chunk = (name: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(name), data]);
    const out = Buffer.alloc(body.length + 8);
    out.writeUInt32BE(data.length, 0);
    body.copy(out, 4);
    out.writeUInt32BE(crc(body), body.length + 4);
    return out;
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const signature = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]);
  return Buffer.concat([
    signature,
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(pixels)),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

/** A second of a quiet tone. */
function tone() {
  const rate = 8000;
  const samples = Buffer.alloc(rate * 2);
  for (let n = 0; n < rate; n++)
    samples.writeInt16LE(Math.round(2000 * Math.sin((n / rate) * 2 * Math.PI * 330)), n * 2);
  const head = Buffer.alloc(44);
  head.write("RIFF", 0);
  head.writeUInt32LE(36 + samples.length, 4);
  head.write("WAVEfmt ", 8);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(rate, 24);
  head.writeUInt32LE(rate * 2, 28);
  head.writeUInt16LE(2, 32);
  head.writeUInt16LE(16, 34);
  head.write("data", 36);
  head.writeUInt32LE(samples.length, 40);
  return Buffer.concat([head, samples]);
}

/** A lesson with every kind of block, whose files are stored. */
export async function everyBlockStored(app: ServerFixture): Promise<LessonBlock[]> {
  const files = {
    image: await addMedia(app, "harness.png", "image/png", arches()),
    video: await addMedia(app, "climb.mp4", "video/mp4", Buffer.from("no video")),
    audio: await addMedia(app, "call.wav", "audio/wav", tone()),
    file: await addMedia(app, "plan.pdf", "application/pdf", Buffer.from("%PDF-1.4\n%%EOF\n")),
  };
  const captions = await addMedia(app, "en.vtt", "text/vtt", Buffer.from("WEBVTT\n\n00:00.000 --> 00:01.000\nHello\n"));
  return everyBlock().blocks.map((block) => {
    if (block.kind === "video")
      return {
        ...block,
        file: files.video,
        captions: block.captions.map((one) => ({ ...one, file: captions })),
        required: false,
      };
    return block.kind === "image" || block.kind === "audio" || block.kind === "file"
      ? { ...block, file: files[block.kind] }
      : block;
  });
}

/** Three lessons in two modules: to read, with practice, and a quiz. */
export function heightCourse() {
  const practice = choiceQuestion("Per climbs the mast. Where does the second hook go?", {
    graded: false,
    tries: null,
  });
  const first = choiceQuestion("What carries 12 kN?", { tries: 2 });
  const second = choiceQuestion("What do you check before each use?", { tries: 1, points: 3 });
  const heading: LessonBlock = { kind: "heading", id: newId("block"), level: 2, text: words("Two hooks, always") };
  const course: LessonCourse = {
    modules: [
      {
        id: newId("module"),
        title: "Before you climb",
        lessons: [
          {
            id: "lesson-hooks",
            title: "Why two hooks",
            minutes: 4,
            document: {
              schema: 1,
              language: "en",
              blocks: [
                paragraph("A fall of two metres lasts less than a second. Nobody catches themselves in that time."),
                heading,
                paragraph(
                  "One hook always holds while the other moves. Open the second only when the first is closed.",
                ),
                practice.block,
              ],
            },
          },
        ],
      },
      {
        id: newId("module"),
        title: "Show what you know",
        lessons: [
          {
            id: "lesson-quiz",
            title: "Final quiz",
            minutes: 3,
            document: { schema: 1, language: "en", blocks: [first.block, second.block] },
          },
        ],
      },
    ],
  };
  return { course, practice, first, second };
}
